import { hash } from 'node:crypto'

/**
 * Inside the page and allowed by its digest: one round trip, and no other style can be brought in.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f4f6f6; --card: #fff; --text: #1c2627; --quiet: #56666a; --line: #d3dbdc; --field: #fff;
  --field-line: #7f9093; --accent: #0b6e75; --fill: #0b6e75; --fill-down: #095a60; --on-fill: #fff;
  --hover: #eaf2f2;
  --bad: #a3241c; --bad-page: #fcefed;
  --shade: 0 1px 2px rgb(28 38 39 / .06), 0 8px 24px rgb(28 38 39 / .06);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14191a; --card: #1c2324; --text: #e3e9e9; --quiet: #9aabad; --line: #323d3f;
    --field: #161c1d;
    --field-line: #66787b; --accent: #5cb8bf; --fill: #0e7c84; --fill-down: #0b6e75;
    --on-fill: #fff; --hover: #243032;
    --bad: #f2a49c; --bad-page: #35201e; --shade: none;
  }
}
* { box-sizing: border-box; }
html { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 24px 16px; display: flex;
  flex-direction: column;
  align-items: center; justify-content: center; background: var(--page); color: var(--text);
}
main { width: 100%; max-width: 400px; }
.brand {
  margin: 0 0 16px 2px; font-size: 15px; font-weight: 600; display: flex; align-items: center;
  gap: 10px;
}
.brand svg { width: 26px; height: 26px; flex: none; color: var(--fill); }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 28px;
  box-shadow: var(--shade);
}
h1 { margin: 0; font-size: 21px; line-height: 1.3; font-weight: 600; letter-spacing: -.01em; }
h2 { margin: 0 0 8px 2px; font-size: 13px; font-weight: 600; color: var(--quiet); }
p { margin: 8px 0 0; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.quiet strong { color: var(--text); }
form { margin: 0; }
.fields { margin-top: 20px; }
label { display: block; margin: 16px 0 6px; font-size: 14px; font-weight: 600; }
input {
  width: 100%; height: 42px; padding: 0 12px; font: inherit; font-size: 16px; color: inherit;
  background: var(--field);
  border: 1px solid var(--field-line); border-radius: 6px;
}
input.code {
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: .12em;
  text-transform: uppercase;
}
input:focus-visible { outline-offset: 0; border-color: var(--accent); }
input[aria-invalid="true"]:not(:focus-visible) { border-color: var(--bad); }
button, a.plain {
  display: block; width: 100%; text-align: center; text-decoration: none; min-height: 42px;
  padding: 8px 16px; font: inherit; font-weight: 600; border-radius: 6px; cursor: pointer;
  color: var(--on-fill); background: var(--fill); border: 1px solid transparent;
}
button:hover { background: var(--fill-down); }
button.plain, a.plain { color: var(--accent); background: none; border-color: var(--line); }
button.plain:hover, a.plain:hover { background: var(--hover); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.actions { margin-top: 24px; display: grid; gap: 10px; }
.alert {
  margin: 16px 0 0; padding: 10px 12px; border-radius: 6px; background: var(--bad-page);
  color: var(--bad);
  font-size: 14px; display: flex; gap: 10px; align-items: baseline;
}
.alert::before {
  content: "!" / ""; flex: none; width: 18px; height: 18px; border-radius: 50%;
  font: bold 13px/18px system-ui, sans-serif;
  text-align: center; color: var(--bad-page); background: var(--bad);
}
.alert:empty { display: none; }
.demo { margin-top: 24px; }
.demo ul {
  list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 8px;
}
.demo li + li { border-top: 1px solid var(--line); }
.demo button {
  min-height: 0; padding: 9px 12px; text-align: left; font-weight: 400; color: inherit;
  background: none;
  border: 0; border-radius: 7px; display: grid; grid-template-columns: 86px 1fr; gap: 12px;
  align-items: baseline;
}
.demo button:hover { background: var(--hover); }
.demo button:focus-visible { outline-offset: -2px; }
.demo strong { font-size: 14px; font-weight: 600; color: var(--accent); }
.demo span { color: var(--quiet); font-size: 13px; line-height: 1.4; }
.facts {
  margin: 20px 0 0; padding: 14px 0 0; border-top: 1px solid var(--line); display: grid; gap: 4px;
  font-size: 13px; color: var(--quiet);
}
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .95em; }
.usercode {
  margin: 16px 0 0; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  font-size: 26px; letter-spacing: .12em;
}
@media (max-width: 440px) {
  body { justify-content: flex-start; padding-top: 32px; }
  .card { padding: 22px 20px; }
}
@media (forced-colors: active) { .alert { border: 1px solid; } }
`

export const STYLE_SOURCE = `'sha256-${hash('sha256', STYLE, 'base64')}'`
