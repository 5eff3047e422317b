import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto'
import { link, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Checkpoint, type CheckpointClaim, keyIdOf, signedBytesOf } from './checkpoint.ts'

export const KEY_FILE = 'audit-checkpoint.key.pem'
export const PUBLIC_KEY_FILE = 'audit-checkpoint.pub.pem'
const OWNER_READS = 0o600
const OWNER_ENTERS = 0o700
const OTHERS = 0o077

export interface CheckpointKey {
  readonly keyId: string
  /** For whoever wants to check signatures. */
  readonly publicKeyPem: string
  sign(claim: Omit<CheckpointClaim, 'keyId'>): Checkpoint
}

/** The key never leaves its directory: not in the database, not in a backup of it. */
export async function openCheckpointKey(keyDir: string): Promise<CheckpointKey> {
  await mkdir(keyDir, { recursive: true, mode: OWNER_ENTERS })
  const path = join(keyDir, KEY_FILE)
  const privateKey = createPrivateKey((await readKey(path)) ?? (await createKey(path)))
  const publicKey = createPublicKey(privateKey)
  const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await writeFile(join(keyDir, PUBLIC_KEY_FILE), publicKeyPem)
  const keyId = keyIdOf(publicKey)
  return {
    keyId,
    publicKeyPem,
    sign(claim) {
      const claimed = { ...claim, keyId }
      const signature = sign(null, signedBytesOf(claimed), privateKey).toString('base64url')
      return { ...claimed, signature }
    },
  }
}

async function readKey(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw new Error(
        `TFS_KEY_DIR: ${path} can be read by others: remove it, so that a new key is made.`,
      )
    }
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Whole or absent, and of two processes at a first start one wins. */
async function createKey(path: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.new`
  const file = await open(unfinished, 'wx', OWNER_READS)
  try {
    await file.writeFile(pem)
    await file.sync()
    await link(unfinished, path)
    return pem
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readKey(path)) as string
  } finally {
    await file.close()
    await rm(unfinished, { force: true })
  }
}
