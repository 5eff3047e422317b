const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] as string)
}

export const PAGES_STYLE = '/docs/pages.css'

interface Parts {
  readonly scripts?: readonly string[]
  /** Pages of ours share one; what brings its own must not be disturbed by it. */
  readonly style?: string
}

/** A whole HTML page around a body that is already escaped. */
export function page(title: string, body: string, { scripts = [], style }: Parts = {}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · TFS</title>
${style === undefined ? '' : `<link rel="stylesheet" href="${escaped(style)}">\n`}<link rel="icon" href="data:,">
</head>
<body>
${body}
${scripts.map((src) => `<script src="${escaped(src)}"></script>`).join('\n')}
</body>
</html>
`
}

export const PAGES_CSS = `:root { color-scheme: light dark; --text: #1d2527; --soft: #566165; --line: #dde3e4; --accent: #0b6e75; --ground: #fbfcfc; }
@media (prefers-color-scheme: dark) { :root { --text: #e4eaeb; --soft: #9aa7aa; --line: #2c3538; --accent: #5bb8bf; --ground: #14191b; } }
body { margin: 0; font: 14px/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1rem; margin: 0; font-family: ui-monospace, monospace; }
a { color: var(--accent); }
article { border-top: 1px solid var(--line); padding: .9rem 0; } article:target { outline: 2px solid var(--accent); outline-offset: 4px; }
article p { margin: .2rem 0; max-width: 72ch; } .status { color: var(--soft); font-variant-numeric: tabular-nums; }
`
