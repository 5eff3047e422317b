import { DEMO_USERS } from '../demo-users.ts'
import { html, type Markup } from './html.ts'
import { cardPage, type Page } from './page.ts'

export interface SignInView {
  /** Where the form is sent: the interaction's own address. */
  readonly action: string
  readonly formToken: string
  /** The program that asked, e.g. "TFS operations console". */
  readonly clientName: string
  readonly redirectUri: string | undefined
  readonly username: string
  readonly error: string | undefined
  readonly demo: boolean
  readonly status?: number
}

export function signInPage(view: SignInView): Page {
  const { action, formToken, clientName, username, error } = view
  const invalid = error !== undefined && html` aria-invalid="true" aria-describedby="error"`
  const card = html`<h1>Sign in</h1>
<p class="quiet">to continue to ${clientName}</p>
<div id="error" class="alert" role="alert" aria-live="assertive">${error}</div>
<form method="post" action="${action}" class="fields">
<input type="hidden" name="form_token" value="${formToken}">
<label for="username">User name</label>
<input id="username" name="username" value="${username}" autocomplete="username"
  autocapitalize="none" spellcheck="false" maxlength="255" required${username === '' && html` autofocus`}${invalid}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  maxlength="1024" required${username !== '' && html` autofocus`}${invalid}>
<div class="actions"><button type="submit">Sign in</button></div>
</form>`
  return {
    title: 'Sign in',
    status: view.status ?? 200,
    body: cardPage(card, view.demo && demoUsers(action, formToken)),
    formTargets: view.redirectUri === undefined ? [] : [view.redirectUri],
  }
}

/** A button is a form that signs in: it works without a script, and by the same checks. */
function demoUsers(action: string, formToken: string): Markup {
  return html`<section class="demo" aria-labelledby="demo">
<h2 id="demo">Demo users · one click signs in</h2>
<form method="post" action="${action}">
<input type="hidden" name="form_token" value="${formToken}">
<ul>${DEMO_USERS.map(
    ({ username, purpose }) =>
      html`<li><button name="demo" value="${username}">
<strong>${username}</strong><span>${purpose}</span></button></li>`,
  )}</ul>
</form>
</section>`
}
