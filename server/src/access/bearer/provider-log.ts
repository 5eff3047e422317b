/** The part of a pino logger that the identity path uses. No token ever reaches it. */
export interface ProviderLog {
  info(members: object, text: string): void
  warn(members: object, text: string): void
  error(members: object, text: string): void
}
