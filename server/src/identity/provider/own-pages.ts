import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { errorPage } from '../pages/notice-pages.ts'
import { RESPONSE_MODES } from './clients.ts'
import { errorViewOf, OTHER_USER } from './error-texts.ts'
import { showDeviceCodePage, showPage } from './sources.ts'
import { StoreAway } from './unavailable.ts'

const SEE_OTHER = 303

type RoutedContext = KoaContextWithOIDC & { _matchedRouteName?: string }

/** oidc-provider has three pages that submit themselves by a script; here nothing needs one. */
export function replaceScriptedPages(provider: Provider): void {
  provider.use(async (context, next) => {
    const ctx = context as RoutedContext
    try {
      await next()
    } catch (error) {
      // oidc-provider saves sessions after its own error handling.
      if (!(error instanceof StoreAway)) throw error
      ctx.remove('location')
      return showPage(ctx, errorPage(errorViewOf({ ...error, description: undefined })))
    }
    if (ctx._matchedRouteName === 'discovery') nameOurResponseModes(ctx)
    if (ctx.response.headers['location'] !== undefined) return withoutBody(ctx)
    if (ctx.state['ownPage'] === true || !ctx.response.is('html')) return
    if (ctx._matchedRouteName === 'code_verification') {
      showDeviceCodePage(ctx, String(ctx.oidc.params?.['user_code'] ?? ''), undefined)
    } else if (ctx._matchedRouteName === 'end_session') {
      leaveWithoutSession(ctx)
    } else if (ctx._matchedRouteName === 'resume' || ctx._matchedRouteName === 'device_resume') {
      showPage(ctx, errorPage(OTHER_USER))
    } else {
      showPage(ctx, errorPage(errorViewOf(FORM_POST)))
    }
  })
}

/** What its pages would need a script for is not offered. */
function nameOurResponseModes(ctx: RoutedContext): void {
  ctx.body = { ...(ctx.body as object), response_modes_supported: RESPONSE_MODES }
}

const FORM_POST = {
  error: 'invalid_request',
  description: 'the response mode form_post is not offered',
  status: 400,
}

/** Koa writes a page into every redirect. */
function withoutBody(ctx: KoaContextWithOIDC): void {
  const { status } = ctx
  ctx.body = ''
  ctx.status = status
  ctx.remove('content-type')
}

/**
 * Nobody is signed in, so there is nothing to confirm. The address was checked against the
 * client's.
 */
function leaveWithoutSession(ctx: KoaContextWithOIDC): void {
  const { post_logout_redirect_uri: wanted, state } = ctx.oidc.params ?? {}
  const target = new URL((wanted as string | undefined) ?? ctx.oidc.urlFor('end_session_success'))
  if (wanted !== undefined && state !== undefined) target.searchParams.set('state', String(state))
  ctx.status = SEE_OTHER
  ctx.redirect(target.href)
  withoutBody(ctx)
}
