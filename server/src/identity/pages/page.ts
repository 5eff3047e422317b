import { type Child, html, Markup } from './html.ts'
import { STYLE, STYLE_SOURCE } from './style.ts'

export interface Page {
  readonly title: string
  readonly status: number
  readonly body: Markup
  /**
   * Where the forms of the page may lead in the end: Chromium holds redirects to `form-action` too.
   */
  readonly formTargets: readonly string[]
}

const LOGO = html`<svg viewBox="0 0 26 26" aria-hidden="true" focusable="false">
<rect width="26" height="26" rx="6" fill="currentColor"/>
<path d="M7 8h12M13 8v11M7 13.5h3.2M15.8 13.5H19"
  fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/></svg>`

/** The one layout: the platform's name, a card, and what belongs below it. */
export function cardPage(card: Child, below?: Child): Markup {
  return html`<p class="brand">${LOGO}TFS financing platform</p>
<div class="card">${card}</div>
${below}`
}

export function documentOf({ title, body }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · TFS</title>
<style>${rawStyle}</style>
</head>
<body><main>
${body}
</main></body>
</html>
`.text
}

const rawStyle = new Markup(STYLE)

/** No script, no frame, no foreign thing; nothing is kept by caches or told to other sites. */
export function pageHeaders({ formTargets }: Page): Readonly<Record<string, string>> {
  const origins = new Set(formTargets.map((target) => new URL(target).origin))
  const formAction = ["'self'", ...origins].join(' ')
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${STYLE_SOURCE}`,
      `form-action ${formAction}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'cache-control': 'no-store',
    // Not `no-referrer`: browsers would then send our own forms with `Origin: null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  }
}
