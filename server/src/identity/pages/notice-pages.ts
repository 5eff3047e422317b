import { html } from './html.ts'
import { cardPage, type Page } from './page.ts'

export interface ErrorView {
  readonly status: number
  readonly heading: string
  /** What happened, what was not done, what to do now. */
  readonly text: string
  /** The code for whoever is asked for help. */
  readonly code?: string | undefined
}

export function errorPage({ status, heading, text, code }: ErrorView): Page {
  const card = html`<h1>${heading}</h1>
<p>${text}</p>
${code !== undefined && html`<p class="facts"><span>Error <code>${code}</code></span></p>`}`
  return { title: heading, status, body: cardPage(card), formTargets: [] }
}

export function signedOutPage(): Page {
  const card = html`<h1>You are signed out</h1>
<p class="quiet">You can close this window.</p>`
  return { title: 'Signed out', status: 200, body: cardPage(card), formTargets: [] }
}

export function deviceDonePage(): Page {
  const card = html`<h1>Signed in</h1>
<p class="quiet">Go back to your terminal. You can close this window.</p>`
  return { title: 'Signed in', status: 200, body: cardPage(card), formTargets: [] }
}
