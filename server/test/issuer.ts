import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, systemClock } from '../src/base/clock.ts'
import { type IssuerKey, newIssuerKey, signedWith } from './issuer-keys.ts'
import { answersBadly, type Misbehaviour } from './issuer-misbehaviour.ts'

export const TEST_AUDIENCE = 'tfs-core-api'
const TOKEN_LIFE_SECONDS = 300

export type Members = Readonly<Record<string, unknown>>

/** An issuer for tests, able to misbehave on purpose. Addresses and tokens are shaped as Keycloak's. */
export interface TestIssuer {
  readonly issuer: string
  readonly discoveryUrl: string
  /** Seconds since the epoch, by the clock of the issuer. */
  now(): number
  /** The key that signs now. */
  key(): IssuerKey
  /** Published beside it, `use: enc`. */
  readonly encryptionKey: IssuerKey
  claims(overrides?: Members): Members
  header(overrides?: Members): Members
  /** A signed token. A member set to undefined is left out. */
  token(claims?: Members, header?: Members): string
  /** Signs any header and any payload; text and bytes are taken as they are. */
  rawToken(header: unknown, payload: unknown, key?: IssuerKey): string
  /** Publishes a new key and signs with it; the old ones stay published. */
  rotate(): Promise<IssuerKey>
  withdraw(kid: string): void
  /** Adds anything to the published key set. */
  publish(jwk: object): void
  misbehave(how?: Misbehaviour): void
  readonly requests: { discovery: number; keys: number; elsewhere: number }
  stop(): Promise<void>
}

export interface TestIssuerOptions {
  readonly clock?: Clock
  readonly port?: number
}

interface IssuerState {
  issuer: string
  published: object[]
  how: Misbehaviour | undefined
  readonly requests: { discovery: number; keys: number; elsewhere: number }
}

/** Never verifies anything, so one is enough for all. */
let encryption: Promise<IssuerKey> | undefined

export async function startTestIssuer(options: TestIssuerOptions = {}): Promise<TestIssuer> {
  const clock = options.clock ?? systemClock
  encryption ??= newIssuerKey({ use: 'enc', alg: 'RSA-OAEP' })
  const encryptionKey = await encryption
  let key = await newIssuerKey()
  const state: IssuerState = {
    issuer: '',
    published: [key.jwk, encryptionKey.jwk],
    how: undefined,
    requests: { discovery: 0, keys: 0, elsewhere: 0 },
  }
  const server = createServer(listenerOf(state))
  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done))
  state.issuer = `http://localhost:${(server.address() as AddressInfo).port}/realms/tfs`
  const now = (): number => Math.floor(clock() / 1000)
  const claims = (overrides: Members = {}): Members => claimsOf(state.issuer, now(), overrides)
  const header = (overrides: Members = {}): Members => headerOf(key.kid, overrides)

  return {
    issuer: state.issuer,
    discoveryUrl: `${state.issuer.replace('localhost', '127.0.0.1')}/.well-known/openid-configuration`,
    now,
    key: () => key,
    encryptionKey,
    claims,
    header,
    token: (own, ownHeader) => signedWith(key, header(ownHeader), claims(own)),
    rawToken: (rawHeader, payload, other) => signedWith(other ?? key, rawHeader, payload),
    async rotate() {
      key = await newIssuerKey()
      state.published.unshift(key.jwk)
      return key
    },
    withdraw(kid) {
      state.published = state.published.filter((jwk) => (jwk as { kid?: string }).kid !== kid)
    },
    publish: (jwk) => state.published.push(jwk),
    misbehave(how) {
      state.how = how
    },
    requests: state.requests,
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function listenerOf(state: IssuerState): RequestListener {
  return (request, response) => {
    const isDiscovery = request.url === '/realms/tfs/.well-known/openid-configuration'
    const isKeys = request.url === '/realms/tfs/protocol/openid-connect/certs'
    state.requests[isDiscovery ? 'discovery' : isKeys ? 'keys' : 'elsewhere'] += 1
    const document = isDiscovery ? discoveryOf(state) : keysOf(state)
    // Garbage comes in the place of the keys; whoever cannot be reached cannot be reached at all.
    const isWhole = state.how === 'hang' || state.how === 'down'
    if ((isKeys || isWhole) && answersBadly(state.how, response, document)) return
    if (!isDiscovery && !isKeys) response.writeHead(404).end()
    else
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  }
}

function discoveryOf({ issuer, how }: IssuerState): object {
  const base = `${issuer}/protocol/openid-connect`
  return {
    ...(how !== 'no-issuer' && { issuer: how === 'wrong-issuer' ? `${issuer}/` : issuer }),
    authorization_endpoint: `${base}/auth`,
    token_endpoint: `${base}/token`,
    ...(how !== 'no-keys-uri' && {
      jwks_uri: how === 'http-keys-uri' ? 'http://keys.invalid/certs' : `${base}/certs`,
    }),
  }
}

function keysOf({ published, how }: IssuerState): object {
  if (how !== 'no-usable-key') return { keys: published }
  return { keys: published.map((jwk) => ({ ...jwk, use: 'enc' })) }
}

function headerOf(kid: string, overrides: Members): Members {
  return { alg: 'RS256', typ: 'JWT', kid, ...overrides }
}

function claimsOf(issuer: string, now: number, overrides: Members): Members {
  return {
    exp: now + TOKEN_LIFE_SECONDS,
    iat: now,
    jti: randomUUID(),
    iss: issuer,
    aud: TEST_AUDIENCE,
    sub: 'a8f1c6de-3f0b-4a53-9d8e-0c2b7c1d5e11',
    typ: 'Bearer',
    azp: 'tfs-ops',
    sid: '5d0c4d3e-7a57-4b0f-8d6b-bb1c0f3a9a10',
    acr: '1',
    preferred_username: 'ana',
    realm_access: { roles: ['contract:read', 'contract:approve'] },
    ...overrides,
  }
}
