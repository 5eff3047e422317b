import { html } from './html.ts'
import { cardPage, type Page } from './page.ts'

interface Question {
  readonly action: string
  readonly token: string
}

export interface LogoutView extends Question {
  readonly displayName: string | undefined
  /** Registered for the client: also where "stay" leads back to. */
  readonly redirectUri: string | undefined
}

/** Nobody is signed out by a link alone (OpenID Connect RP-Initiated Logout, section 6). */
export function logoutPage({ action, token, displayName, redirectUri }: LogoutView): Page {
  const card = html`<h1>Sign out?</h1>
<p class="quiet">${
    displayName === undefined
      ? 'This ends what is left of your session in this browser.'
      : html`You are signed in as <strong>${displayName}</strong>.
This ends your session in every TFS window of this browser.`
  }</p>
<form method="post" action="${action}">
<input type="hidden" name="xsrf" value="${token}">
<div class="actions">
<button name="logout" value="yes">Sign out</button>
${redirectUri !== undefined && html`<a class="plain" href="${redirectUri}">Stay signed in</a>`}
</div>
</form>`
  const formTargets = redirectUri === undefined ? [] : [redirectUri]
  return { title: 'Sign out', status: 200, body: cardPage(card), formTargets }
}

export interface ProgramView extends Question {
  readonly clientName: string
  readonly displayName: string
  readonly redirectUri: string | undefined
}

export function programPage(view: ProgramView): Page {
  const { action, token, clientName, displayName, redirectUri } = view
  const card = html`<h1>Let ${clientName} act as you?</h1>
<p>A program on this computer asks to work as <strong>${displayName}</strong>.
Continue only if you started it just now.</p>
<form method="post" action="${action}">
<input type="hidden" name="form_token" value="${token}">
<div class="actions">
<button name="answer" value="yes">Continue</button>
<button name="answer" value="no" class="plain">Cancel</button>
</div>
</form>`
  const formTargets = redirectUri === undefined ? [] : [redirectUri]
  return { title: 'Continue', status: 200, body: cardPage(card), formTargets }
}

export interface DeviceCodeView extends Question {
  readonly userCode: string
  readonly error: string | undefined
}

export function deviceCodePage({ action, token, userCode, error }: DeviceCodeView): Page {
  const invalid = error !== undefined && html` aria-invalid="true" aria-describedby="error"`
  const card = html`<h1>Sign in a terminal</h1>
<p class="quiet">Type the code that the program shows.</p>
<div id="error" class="alert" role="alert" aria-live="assertive">${error}</div>
<form method="post" action="${action}" class="fields">
<input type="hidden" name="xsrf" value="${token}">
<label for="user_code">Code</label>
<input id="user_code" name="user_code" class="code" value="${userCode}" autocomplete="off"
  autocapitalize="characters" spellcheck="false" maxlength="16" required autofocus${invalid}>
<div class="actions"><button type="submit">Continue</button></div>
</form>`
  return { title: 'Sign in a terminal', status: 200, body: cardPage(card), formTargets: [] }
}

export interface DeviceConfirmView extends Question {
  readonly userCode: string
  readonly clientName: string
}

export function deviceConfirmPage({
  action,
  token,
  userCode,
  clientName,
}: DeviceConfirmView): Page {
  const card = html`<h1>Is this the code in your terminal?</h1>
<p class="usercode">${userCode}</p>
<p>${clientName} asks to work as you.
<strong>If someone sent you this link or code, cancel:</strong> they would act in your name.</p>
<form method="post" action="${action}">
<input type="hidden" name="xsrf" value="${token}">
<input type="hidden" name="user_code" value="${userCode}">
<div class="actions">
<button name="confirm" value="yes">Yes, continue</button>
<button name="abort" value="yes" class="plain">Cancel</button>
</div>
</form>`
  return { title: 'Confirm the code', status: 200, body: cardPage(card), formTargets: [] }
}
