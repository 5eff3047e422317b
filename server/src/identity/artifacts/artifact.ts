/** What the provider keeps of one code, token, session, grant or interaction. */
export interface ArtifactPayload {
  exp?: number
  jti?: string
  kind?: string
  uid?: string
  userCode?: string
  grantId?: string
  accountId?: string
  sessionUid?: string
  loginTs?: number
  consumed?: unknown
  [member: string]: unknown
}

export interface StoredArtifact {
  readonly payload: ArtifactPayload
  readonly expiresAt: number
  readonly consumedAt: number | null
}
