import { hash, randomBytes } from 'node:crypto'
import { formAction, hiddenFields, openBrowser, type Shown, type TestBrowser } from './browser.ts'
import type { Answer, Fields, TestRealm } from './realm.ts'

export const CONSOLE = { clientId: 'tfs-ops', redirectUri: 'http://localhost:8080/console/' }
export const PORTAL = { clientId: 'tfs-portal', redirectUri: 'http://localhost:8080/portal/' }
export const CLI = { clientId: 'tfs-cli', redirectUri: 'http://127.0.0.1:49152/callback' }

export interface TestClient {
  readonly clientId: string
  readonly redirectUri: string
}

export interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: hash('sha256', verifier, 'base64url') }
}

export function authorizationUrl(
  realm: TestRealm,
  client: TestClient,
  pkce: Pkce,
  more: Readonly<Record<string, string | undefined>> = {},
): string {
  const url = new URL(realm.url('authorization'))
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    scope: 'openid',
    state: 'state-of-the-app',
    ...more,
  }
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}

/** Opens the sign-in page. */
export async function openSignIn(browser: TestBrowser, url: string): Promise<Shown> {
  return browser.follow(await browser.get(url))
}

export async function typePassword(
  browser: TestBrowser,
  page: Shown,
  username: string,
  password = username,
): Promise<Shown> {
  const fields = { ...hiddenFields(page), username, password }
  return browser.follow(await browser.post(formAction(page), fields))
}

export interface SignedIn {
  readonly browser: TestBrowser
  readonly pkce: Pkce
  readonly code: string
  /** The parameters that came back to the application. */
  readonly answer: URLSearchParams
}

/** From the authorization request to the code, as a person does it. */
export async function signIn(
  realm: TestRealm,
  username: string,
  options: {
    readonly client?: TestClient
    readonly browser?: TestBrowser
    readonly more?: Readonly<Record<string, string | undefined>>
  } = {},
): Promise<SignedIn> {
  const { client = CONSOLE, browser = openBrowser(), more = {} } = options
  const pkce = newPkce()
  const page = await openSignIn(browser, authorizationUrl(realm, client, pkce, more))
  const done = page.status === 200 ? await typePassword(browser, page, username) : page
  if (!done.location?.startsWith(client.redirectUri)) {
    throw new Error(`No code: ${done.status} ${done.location} ${done.text}`)
  }
  const answer = new URL(done.location).searchParams
  return { browser, pkce, answer, code: answer.get('code') ?? '' }
}

export function exchange(
  realm: TestRealm,
  client: TestClient,
  given: { readonly code: string; readonly pkce: Pkce },
  more: Fields = {},
): Promise<Answer> {
  return realm.post('token', {
    grant_type: 'authorization_code',
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    code: given.code,
    code_verifier: given.pkce.verifier,
    ...more,
  })
}

export function passwordGrant(realm: TestRealm, username: string, password = username) {
  return realm.post('token', {
    grant_type: 'password',
    client_id: 'tfs-ops',
    username,
    password,
  })
}

export function refresh(realm: TestRealm, refreshToken: unknown, clientId = 'tfs-ops') {
  return realm.post('token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: String(refreshToken),
  })
}
