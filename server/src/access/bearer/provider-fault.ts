/**
 * UNREACHABLE   no answer in time
 * GARBAGE       an answer that is no discovery document or no key set
 * WRONG_ISSUER  discovery names another issuer than the configured one
 */
export type ProviderFaultKind = 'UNREACHABLE' | 'GARBAGE' | 'WRONG_ISSUER'

/** Why the keys could not be had. For the log and the state, never for the client. */
export class ProviderFault extends Error {
  readonly kind: ProviderFaultKind

  constructor(kind: ProviderFaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProviderFault'
    this.kind = kind
  }
}

export function providerFaultOf(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error
  return new ProviderFault('UNREACHABLE', String(error), { cause: error })
}
