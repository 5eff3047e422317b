import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createSecretFile, ensureKeyDir, hasCode, readSecretFile } from './secret-file.ts'

const FILE = 'identity-cookies.json'
const KEY_BYTES = 32

/** Signs cookies and the tokens of forms. The first key signs, all of them verify. */
export type CookieKeys = readonly [string, ...string[]]

export async function openCookieKeys(keyDir: string): Promise<CookieKeys> {
  await ensureKeyDir(keyDir)
  const path = join(keyDir, FILE)
  try {
    return cookieKeysOf(await readSecretFile(path), path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  await createSecretFile(path, { keys: [randomBytes(KEY_BYTES).toString('base64url')] })
  return cookieKeysOf(await readSecretFile(path), path)
}

function cookieKeysOf(content: unknown, path: string): CookieKeys {
  const keys = (content as { keys?: unknown } | null)?.keys
  if (Array.isArray(keys) && keys.length > 0 && keys.every((key) => typeof key === 'string')) {
    return keys as unknown as CookieKeys
  }
  throw new Error(`TFS_KEY_DIR: ${path} is damaged: restore it, or remove it to start afresh.`)
}
