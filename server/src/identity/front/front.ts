import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { isLoopbackHostHeader } from '../../base/loopback.ts'
import type { IdentityLog } from '../log.ts'
import { errorPage } from '../pages/notice-pages.ts'
import { errorViewOf, FOREIGN_FORM, PAGE_UNKNOWN } from '../provider/error-texts.ts'
import { StoreAway } from '../provider/unavailable.ts'
import { originOf, REALM_PATH } from '../realm.ts'
import { answersCors, type IsRegisteredOrigin } from './cors.ts'
import { type Target, targetOf } from './routes.ts'
import { sendJson, sendPage, sendRedirect } from './send.ts'
import type { signInPages } from './sign-in.ts'
import { withoutStaleHint } from './stale-hint.ts'

const RETRY_AFTER_SECONDS = 1

type Answer = (
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>

export interface FrontOptions {
  readonly port: number
  /** The provider of the keys in force. */
  readonly provider: () => Provider
  readonly publishedKids: () => ReadonlySet<string>
  readonly isRegisteredOrigin: IsRegisteredOrigin
  readonly signIn: ReturnType<typeof signInPages>
  readonly userinfo: Answer
  readonly introspection: Answer
  readonly log: IdentityLog
}

/** In front of oidc-provider: which machine, which origin, which address. Then it takes over. */
export function frontOf(options: FrontOptions) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(options, request, response).catch((error: unknown) => {
      failWith(options.log, error, request, response)
    })
  }
}

async function answer(
  options: FrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = request.url ?? ''
  const target = targetOf(url)
  if (!isLoopbackHostHeader(request.headers.host)) return refuseHost(response)
  if (target === undefined) return sendPage(response, errorPage(PAGE_UNKNOWN))
  const origin = originOf(options.port)
  if (isForPeople(target)) {
    if (`http://${request.headers.host}` !== origin && request.method === 'GET') {
      // Cookies belong to one name of this machine; the issuer's is `localhost`.
      return sendRedirect(response, 302, `${origin}${url}`)
    }
    if (isForeignPost(request, origin)) return sendPage(response, errorPage(FOREIGN_FORM))
  } else if (answersCors(request, response, options.isRegisteredOrigin)) return
  // Whatever name it was reached by, the provider speaks of itself by the issuer's.
  request.headers.host = new URL(origin).host
  await dispatch(options, target, request, response)
}

async function dispatch(
  options: FrontOptions,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const provider = options.provider()
  switch (target.kind) {
    case 'SIGN_IN':
      return options.signIn(provider, request, response, target.interactionId)
    case 'USERINFO':
      return options.userinfo(provider, request, response)
    case 'INTROSPECTION':
      return options.introspection(provider, request, response)
    default: {
      const mounted = request as IncomingMessage & { originalUrl?: string }
      mounted.originalUrl = withoutStaleHint(request.url as string, options.publishedKids())
      request.url = mounted.originalUrl.slice(REALM_PATH.length)
      await provider.callback()(request, response)
    }
  }
}

/** Forms are sent by our own pages alone. Browsers say where a post comes from. */
function isForeignPost(request: IncomingMessage, own: string): boolean {
  if (request.method !== 'POST') return false
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined && origin !== own) return true
  return site !== undefined && site !== 'same-origin'
}

/** DNS rebinding: a foreign name that points here must not be served. */
function refuseHost(response: ServerResponse): void {
  sendJson(response, 421, {
    error: 'invalid_request',
    error_description: 'This identity provider answers on this machine only.',
  })
}

function isForPeople(target: Target | undefined): boolean {
  return target?.kind === 'PAGE' || target?.kind === 'SIGN_IN'
}

function failWith(
  log: IdentityLog,
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const isAway = error instanceof StoreAway
  if (isAway) log.warn({ err: error.cause }, 'The identity provider cannot reach its database.')
  else log.error({ err: error }, 'The identity provider failed.')
  if (response.headersSent) {
    response.destroy()
    return
  }
  const facts = isAway
    ? { error: error.error, description: undefined, status: error.status }
    : { error: 'server_error', description: undefined, status: 500 }
  response.setHeader('retry-after', RETRY_AFTER_SECONDS)
  if (isForPeople(targetOf(request.url ?? ''))) sendPage(response, errorPage(errorViewOf(facts)))
  else sendJson(response, facts.status, { error: facts.error })
}
