import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { errorPage } from '../pages/notice-pages.ts'
import { errorViewOf, OTHER_USER } from './error-texts.ts'
import { showDeviceCodePage, showPage } from './sources.ts'

const SEE_OTHER = 303

/** oidc-provider has three pages that submit themselves by a script; here nothing needs one. */
export function replaceScriptedPages(provider: Provider): void {
  provider.use(async (context, next) => {
    await next()
    const ctx = context as KoaContextWithOIDC & { _matchedRouteName?: string }
    if (ctx.state['ownPage'] === true || !ctx.response.is('html')) return
    if (ctx._matchedRouteName === 'code_verification') {
      showDeviceCodePage(ctx, String(ctx.oidc.params?.['user_code'] ?? ''), undefined)
    } else if (ctx._matchedRouteName === 'end_session') {
      leaveWithoutSession(ctx)
    } else if (ctx._matchedRouteName === 'resume' || ctx._matchedRouteName === 'device_resume') {
      showPage(ctx, errorPage(OTHER_USER))
    } else {
      showPage(ctx, errorPage(errorViewOf({ ...UNEXPECTED, status: ctx.status })))
    }
  })
}

const UNEXPECTED = { error: 'server_error', description: undefined }

/** Nobody is signed in, so there is nothing to confirm. The address was checked against the client's. */
function leaveWithoutSession(ctx: KoaContextWithOIDC): void {
  const { post_logout_redirect_uri: wanted, state } = ctx.oidc.params ?? {}
  const target = new URL((wanted as string | undefined) ?? ctx.oidc.urlFor('end_session_success'))
  if (wanted !== undefined && state !== undefined) target.searchParams.set('state', String(state))
  ctx.body = ''
  ctx.status = SEE_OTHER
  ctx.redirect(target.href)
}
