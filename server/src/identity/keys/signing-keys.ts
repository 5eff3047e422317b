import { generateKeyPair, type JsonWebKey } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { calculateJwkThumbprint } from 'jose'
import { ACCESS_TOKEN_SECONDS } from '../lifetimes.ts'
import { createSecretFile, ensureKeyDir, readSecretFile, writeSecretFile } from './secret-file.ts'

const KEY_FILE = /^identity-signing-([\w-]{43})\.json$/
const RSA_BITS = 2048
const ALGORITHM = 'RS256'
/** Clocks differ, and a token may be on its way: a key outlives its last token by this. */
const OVERLAP_MARGIN_SECONDS = 60

/** One key pair as its file holds it. Times are seconds since the epoch. */
export interface SigningKey {
  readonly kid: string
  readonly createdAt: number
  /** Set when another key took over: published until then, signing no more. */
  readonly publishedUntil?: number
  readonly jwk: JsonWebKey
}

/** The signing key first; behind it those whose tokens may still be in use. Never empty. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]]

export async function readSigningKeys(keyDir: string, now: number): Promise<SigningKey[]> {
  const keys: SigningKey[] = []
  for (const name of await readdir(keyDir)) {
    if (!KEY_FILE.test(name)) continue
    const key = (await readSecretFile(join(keyDir, name))) as SigningKey
    if ((key.publishedUntil ?? now) >= now) keys.push(key)
  }
  return keys.sort(signingFirst)
}

/** The keys of the directory; at the very first start there are none and one is made. */
export async function openSigningKeys(keyDir: string, now: number): Promise<SigningKeys> {
  await ensureKeyDir(keyDir)
  const keys = await readSigningKeys(keyDir, now)
  if (keys[0] === undefined || keys[0].publishedUntil !== undefined) {
    const created = await newKey(now)
    await createSecretFile(fileOf(keyDir, created.kid), created)
    return [created, ...keys]
  }
  return keys as unknown as SigningKeys
}

/**
 * A new key signs from now on; the old ones stay published until the last token that they signed
 * has expired. `withdraw` is for a key that got out: it is gone at once, and its tokens with it.
 */
export async function rotateSigningKeys(
  keyDir: string,
  options: { readonly now: number; readonly withdraw: boolean },
): Promise<SigningKeys> {
  const { now, withdraw } = options
  const before = await openSigningKeys(keyDir, now)
  const created = await newKey(now)
  await createSecretFile(fileOf(keyDir, created.kid), created)
  const publishedUntil = now + ACCESS_TOKEN_SECONDS + OVERLAP_MARGIN_SECONDS
  const kept: SigningKey[] = []
  for (const key of before) {
    if (withdraw) await rm(fileOf(keyDir, key.kid), { force: true })
    else {
      const retired = { ...key, publishedUntil: key.publishedUntil ?? publishedUntil }
      await writeSecretFile(fileOf(keyDir, key.kid), retired)
      kept.push(retired)
    }
  }
  return [created, ...kept]
}

export async function removeRetiredKeys(keyDir: string, now: number): Promise<void> {
  for (const name of await readdir(keyDir)) {
    if (!KEY_FILE.test(name)) continue
    const { publishedUntil } = (await readSecretFile(join(keyDir, name))) as SigningKey
    if (publishedUntil !== undefined && publishedUntil < now) {
      await rm(join(keyDir, name), { force: true })
    }
  }
}

async function newKey(now: number): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS })
  const jwk = privateKey.export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint({ kty: 'RSA', e: jwk.e as string, n: jwk.n as string })
  return { kid, createdAt: now, jwk: { ...jwk, kid, alg: ALGORITHM, use: 'sig' } as JsonWebKey }
}

function fileOf(keyDir: string, kid: string): string {
  return join(keyDir, `identity-signing-${kid}.json`)
}

/** Not yet retired before retired, young before old. */
function signingFirst(a: SigningKey, b: SigningKey): number {
  const retired = Number(a.publishedUntil !== undefined) - Number(b.publishedUntil !== undefined)
  return retired || b.createdAt - a.createdAt || a.kid.localeCompare(b.kid)
}
