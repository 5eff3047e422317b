import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CookieKeys } from '../keys/cookie-keys.ts'

/** Proves that a form came from the page of this very interaction. */
export interface FormTokens {
  of(interactionId: string): string
  isValid(token: string, interactionId: string): boolean
}

export function formTokens(keys: CookieKeys): FormTokens {
  const made = (key: string, id: string): string =>
    createHmac('sha256', key).update(`form ${id}`).digest('base64url')
  return {
    of: (id) => made(keys[0], id),
    isValid: (token, id) =>
      keys.some((key) => {
        const [given, expected] = [Buffer.from(token), Buffer.from(made(key, id))]
        return given.length === expected.length && timingSafeEqual(given, expected)
      }),
  }
}
