import { canonicalJson } from '../base/canonical-json.ts'
import { sha256Hex } from '../base/digest.ts'

/** One read of one party's or contract's details by staff. */
export interface AccessRow {
  readonly partyId: string
  readonly itemKind: string
  readonly itemId: string
  readonly action: string
  readonly at: string
  readonly surface: 'OPERATIONS' | 'PARTNER'
  readonly subject: string
  readonly username: string
  readonly requestId: string
}

/** The action and the item of the audit entry that stands for a batch. */
export const ACCESS_BATCH_ACTION = 'access.logged'
export const ACCESS_BATCH_KIND = 'access-batch'
export const DIGEST_POINTER = '/sha256'

export function accessDigestOf(rows: readonly AccessRow[]): string {
  return sha256Hex(canonicalJson(rows))
}
