import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { canonicalJson } from '../base/canonical-json.ts'
import { sha256Hex } from '../base/digest.ts'

/** A signed word: at this time the chain ended with this entry. */
export interface Checkpoint extends CheckpointClaim {
  readonly signature: string
}

export interface CheckpointClaim {
  readonly seq: number
  readonly hash: string
  readonly at: string
  readonly keyId: string
}

/** Says what is signed, so that the signature is worth nothing as one of anything else. */
const PURPOSE = 'tfs audit checkpoint 1\n'
const KEY_ID_CHARACTERS = 16

export function signedBytesOf({ seq, hash, at, keyId }: CheckpointClaim): Buffer {
  return Buffer.from(PURPOSE + canonicalJson({ seq, hash, at, keyId }))
}

export function keyIdOf(publicKey: KeyObject): string {
  return sha256Hex(publicKey.export({ type: 'spki', format: 'der' })).slice(0, KEY_ID_CHARACTERS)
}

export type PublicKeys = ReadonlyMap<string, KeyObject>

const PEM = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g

/** Every process signs with a key of its own, so one file may hold several. */
export function publicKeysIn(pem: string): PublicKeys {
  const keys = (pem.match(PEM) ?? []).map((text) => createPublicKey(text))
  if (keys.length === 0 || keys.some((key) => key.asymmetricKeyType !== 'ed25519')) {
    throw new Error('This is no Ed25519 public key in PEM form.')
  }
  return new Map(keys.map((key) => [keyIdOf(key), key]))
}

export function isSigned(checkpoint: Checkpoint, keys: PublicKeys): boolean {
  const key = keys.get(checkpoint.keyId)
  if (key === undefined) return false
  const signature = Buffer.from(checkpoint.signature, 'base64url')
  return verify(null, signedBytesOf(checkpoint), key, signature)
}

export function isCheckpoint(value: unknown): value is Checkpoint {
  if (value === null || typeof value !== 'object') return false
  const { seq, hash, at, keyId, signature } = value as Partial<Record<keyof Checkpoint, unknown>>
  return (
    Number.isSafeInteger(seq) &&
    typeof hash === 'string' &&
    typeof at === 'string' &&
    typeof keyId === 'string' &&
    typeof signature === 'string'
  )
}
