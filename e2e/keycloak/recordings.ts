import { type CodeRequest, exchangeCode, type PendingCode } from './code-flow.ts'
import { type Device, deviceTokens, startDeviceFlow } from './device-flow.ts'
import {
  claimsOf,
  headerOf,
  type Issuer,
  passwordGrant,
  refreshGrant,
  requireAccessToken,
  type TokenAnswer,
  type TokenBody,
  tokenAnswer,
} from './tokens.ts'

export const CONSOLE = {
  clientId: 'tfs-ops',
  redirectUri: 'http://127.0.0.1:8080/console/',
  scope: 'openid',
}

const PORTAL = { clientId: 'tfs-portal', redirectUri: 'http://localhost:8080/portal/' }

/** A provider under questioning: the requests put to it are the same for all, these steps are not. */
export interface RecordedProvider extends Issuer {
  readonly partner: { readonly clientId: string; readonly secret: string }
  /** A demo user signs in on the provider's own page. */
  signIn(username: string, request: CodeRequest): Promise<PendingCode>
  /** A code of anyone's, by the quickest way there is. */
  newCode(request: CodeRequest): Promise<PendingCode>
  approveDevice(device: Device, username: string): Promise<void>
  whileDisabled<T>(username: string, work: () => Promise<T>): Promise<T>
  /** What an administrator gets in a user's name, where the provider knows such a thing. */
  readonly impersonate?: (username: string, request: CodeRequest) => Promise<TokenAnswer>
}

/** What a provider says, by the name of its fixture, not yet made anonymous. */
export async function recordings(provider: RecordedProvider): Promise<Record<string, unknown>> {
  const answers = await tokenAnswers(provider)
  return {
    discovery: await discovery(provider),
    'access-tokens': mapped(answers, (answer) => parts(requireAccessToken(answer))),
    'token-answers': mapped(answers, (answer) => said(answer)),
    'token-errors': await tokenErrors(provider),
  }
}

async function discovery({ issuer }: Issuer): Promise<unknown> {
  return await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
}

type Answers = Readonly<Record<string, TokenAnswer>>

function mapped(answers: Answers, change: (answer: TokenAnswer) => unknown) {
  return Object.fromEntries(Object.entries(answers).map(([name, each]) => [name, change(each)]))
}

async function tokenAnswers(provider: RecordedProvider): Promise<Answers> {
  const byCode = async (username: string, request: CodeRequest) => {
    const { code, pkce } = await provider.signIn(username, request)
    return await exchangeCode(provider, request, code, pkce.verifier)
  }
  const password = await passwordGrant(provider, 'preparer')
  return {
    passwordGrant: password,
    refreshed: await refreshGrant(provider, password.body.refresh_token),
    codeFlow: await byCode('customer', PORTAL),
    codeFlowWithOpenid: await byCode('approver', CONSOLE),
    deviceFlow: await byDevice(provider),
    clientCredentials: await tokenAnswer(provider, {
      grant_type: 'client_credentials',
      client_id: provider.partner.clientId,
      client_secret: provider.partner.secret,
    }),
    ...(provider.impersonate && {
      impersonated: await provider.impersonate('approver', CONSOLE),
    }),
  }
}

async function byDevice(provider: RecordedProvider): Promise<TokenAnswer> {
  const device = await startDeviceFlow(provider)
  await provider.approveDevice(device, 'preparer')
  return await deviceTokens(provider, device)
}

function parts(token: string) {
  return { header: headerOf(token), claims: claimsOf(token) }
}

/** `customer2` is the one who mistypes: five failures lock an account for a minute. */
async function tokenErrors(provider: RecordedProvider): Promise<unknown> {
  const post = (parameters: Record<string, string>) => tokenAnswer(provider, parameters)
  const ops = { client_id: 'tfs-ops' }
  const mistyped = { username: 'customer2', password: 'mistyped' }
  return {
    wrongPassword: said(await post({ grant_type: 'password', ...ops, ...mistyped })),
    unknownUser: said(await passwordGrant(provider, 'nobody')),
    disabledUser: said(
      await provider.whileDisabled('auditor', () => passwordGrant(provider, 'auditor')),
    ),
    unknownClient: said(await post({ grant_type: 'password', client_id: 'nobody', ...mistyped })),
    clientWithoutPasswordGrant: said(
      await post({ grant_type: 'password', client_id: 'tfs-portal', ...mistyped }),
    ),
    missingGrantType: said(await post(ops)),
    missingUsername: said(await post({ grant_type: 'password', ...ops, password: 'x' })),
    missingPassword: said(await post({ grant_type: 'password', ...ops, username: 'nobody' })),
    missingCode: said(await post({ grant_type: 'authorization_code', ...ops })),
    unsupportedGrant: said(await post({ grant_type: 'magic', ...ops })),
    unknownScope: said(
      await post({ grant_type: 'password', ...ops, ...mistyped, scope: 'nonsense' }),
    ),
    ...(await codeErrors(provider)),
    ...(await refreshErrors(provider)),
  }
}

async function codeErrors(provider: RecordedProvider) {
  const newCode = () => provider.newCode(CONSOLE)
  const exchange = (code: string, verifier: string) =>
    exchangeCode(provider, CONSOLE, code, verifier)
  const verified = await newCode()
  const reused = await newCode()
  await exchange(reused.code, reused.pkce.verifier)
  const elsewhere = await newCode()
  return {
    badCode: said(await exchange('nonsense', reused.pkce.verifier)),
    badVerifier: said(await exchange(verified.code, 'v'.repeat(43))),
    missingVerifier: said(await exchange((await newCode()).code, '')),
    reusedCode: said(await exchange(reused.code, reused.pkce.verifier)),
    otherRedirectUri: said(
      await exchangeCode(
        provider,
        { ...CONSOLE, redirectUri: 'http://127.0.0.1:8081/console/' },
        elsewhere.code,
        elsewhere.pkce.verifier,
      ),
    ),
  }
}

async function refreshErrors(provider: RecordedProvider) {
  const { body } = await passwordGrant(provider, 'approver')
  await refreshGrant(provider, body.refresh_token)
  return {
    reusedRefreshToken: said(await refreshGrant(provider, body.refresh_token)),
    malformedRefreshToken: said(await refreshGrant(provider, 'nonsense')),
  }
}

function said({ status, headers, body }: TokenAnswer) {
  const named = (name: string) => headers.get(name)
  return {
    status,
    contentType: named('content-type'),
    cacheControl: named('cache-control'),
    wwwAuthenticate: named('www-authenticate'),
    body: withoutTokens(body),
  }
}

const TOKENS = ['access_token', 'refresh_token', 'id_token'] as const

function withoutTokens(body: TokenBody): TokenBody {
  const named = TOKENS.filter((name) => body[name] !== undefined)
  return { ...body, ...Object.fromEntries(named.map((name) => [name, `any-${name}`])) }
}
