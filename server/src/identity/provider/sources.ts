import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { errors } from 'oidc-provider'
import { displayNameOf } from '../accounts/account.ts'
import { deviceDonePage, errorPage, signedOutPage } from '../pages/notice-pages.ts'
import { documentOf, type Page, pageHeaders } from '../pages/page.ts'
import { deviceCodePage, deviceConfirmPage, logoutPage } from '../pages/question-pages.ts'
import type { DeviceGuesses } from '../sign-in/device-guesses.ts'
import type { AccountsView } from './accounts-view.ts'
import { addressOf } from './address.ts'
import { EXPIRED_SIGN_IN, errorViewOf } from './error-texts.ts'

type Features = NonNullable<Configuration['features']>

/** Pages that oidc-provider asks for in the course of its own steps. */
export interface Sources {
  readonly renderError: NonNullable<Configuration['renderError']>
  readonly device: NonNullable<Features['deviceFlow']>
  readonly logout: NonNullable<Features['rpInitiatedLogout']>
}

export function sourcesOf(accounts: AccountsView, guesses: DeviceGuesses): Sources {
  return {
    renderError(ctx, out, error) {
      const status = ctx.status
      const facts = { error: out.error, description: out.error_description, status }
      const isGone = error instanceof errors.SessionNotFound
      showPage(ctx, errorPage(isGone ? EXPIRED_SIGN_IN : errorViewOf(facts)))
    },
    device: {
      userCodeInputSource(ctx, _form, _out, error) {
        if (error?.name === 'NotFoundError') guesses.missed(addressOf(ctx.req))
        showDeviceCodePage(ctx, userCodeOf(error), error && deviceErrorOf(error))
      },
      userCodeConfirmSource(ctx, _form, client, _device, userCode) {
        const clientName = client.clientName ?? client.clientId
        showPage(ctx, deviceConfirmPage({ ...deviceForm(ctx), clientName, userCode }))
      },
      successSource: (ctx) => showPage(ctx, deviceDonePage()),
    },
    logout: {
      async logoutSource(ctx) {
        const { session, params } = ctx.oidc
        const account = await accounts.activeAccount(session?.accountId as string)
        const page = logoutPage({
          action: ctx.oidc.urlFor('end_session_confirm'),
          token: formSecretOf(ctx),
          displayName: account && displayNameOf(account),
          redirectUri: params?.['post_logout_redirect_uri'] as string | undefined,
        })
        showPage(ctx, page)
      },
      postLogoutSuccessSource: (ctx) => showPage(ctx, signedOutPage()),
    },
  }
}

/** Marks the page as ours: pages of oidc-provider that need a script are replaced. */
export function showPage(ctx: KoaContextWithOIDC, page: Page): void {
  ctx.status = page.status
  ctx.set({ ...pageHeaders(page) })
  ctx.body = documentOf(page)
  ctx.state['ownPage'] = true
}

export function showDeviceCodePage(
  ctx: KoaContextWithOIDC,
  userCode: string,
  error: string | undefined,
): void {
  showPage(ctx, deviceCodePage({ ...deviceForm(ctx), userCode, error }))
}

function deviceForm(ctx: KoaContextWithOIDC): { action: string; token: string } {
  return { action: ctx.oidc.urlFor('code_verification'), token: formSecretOf(ctx) }
}

/** oidc-provider's own guard of its forms, kept in the session. */
function formSecretOf(ctx: KoaContextWithOIDC): string {
  return String(ctx.oidc.session?.state?.['secret'] ?? '')
}

const DEVICE_ERRORS: Readonly<Record<string, string>> = {
  NotFoundError: 'There is no such code. Compare it with the one in your terminal.',
  ExpiredError: 'This code has expired. Start again in your terminal.',
  AlreadyUsedError: 'This code was used already. Start again in your terminal.',
  NoCodeError: 'Type the code that the program shows.',
  AbortedError: 'Cancelled: the program was not signed in.',
}

function deviceErrorOf(error: Error): string {
  return DEVICE_ERRORS[error.name] ?? 'This did not work. Start again in your terminal.'
}

function userCodeOf(error: unknown): string {
  return (error as { userCode?: string } | undefined)?.userCode ?? ''
}
