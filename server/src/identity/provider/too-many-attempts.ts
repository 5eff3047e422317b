import { errors } from 'oidc-provider'

const TOO_MANY_REQUESTS = 429

/** Says the same to everyone, whether the name exists or not. */
export class TooManyAttempts extends errors.OIDCProviderError {
  override readonly error_description: string
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super(TOO_MANY_REQUESTS, 'invalid_grant')
    this.retryAfterSeconds = retryAfterSeconds
    this.error_description = tooManyText(retryAfterSeconds)
  }
}

export function tooManyText(retryAfterSeconds: number): string {
  return `Too many failed attempts. Try again in ${retryAfterSeconds} seconds.`
}
