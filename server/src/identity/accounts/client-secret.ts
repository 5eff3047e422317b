import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sha256Hex } from '../../base/digest.ts'

const SECRET_BYTES = 32

/** Secrets are random and long, so that a plain digest protects them as well as a slow one. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

export function isSecret(secret: string, secretSha256: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(secret)), Buffer.from(secretSha256))
}
