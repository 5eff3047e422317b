import { claimTokens } from './tokens/bad-claims.ts'
import { headerTokens } from './tokens/bad-headers.ts'
import { linkTokens } from './tokens/bad-links.ts'
import { payloadTokens, shapeTokens } from './tokens/bad-shapes.ts'
import { signatureTokens } from './tokens/bad-signatures.ts'
import { timeTokens } from './tokens/bad-times.ts'
import type { BadToken } from './tokens/bad-token.ts'

export type { BadToken } from './tokens/bad-token.ts'

/** Every class of token that security rules 1 to 4 refuse, for the settings' defaults. */
export const badTokens: readonly BadToken[] = [
  ...shapeTokens,
  ...headerTokens,
  ...signatureTokens,
  ...payloadTokens,
  ...claimTokens,
  ...timeTokens,
  ...linkTokens,
]
