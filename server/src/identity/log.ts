/** The part of a pino logger that the provider uses. No password, code or token ever reaches it. */
export interface IdentityLog {
  info(members: object, text: string): void
  warn(members: object, text: string): void
  error(members: object, text: string): void
}
