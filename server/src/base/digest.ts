import { hash } from 'node:crypto'

export function sha256Hex(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex')
}

/** Eight characters are enough to tell two representations of one version apart. */
export function shortDigest(text: string, length = 16): string {
  return sha256Hex(text).slice(0, length)
}
