import type { Scope } from '../storage/scope.ts'
import type { Caller } from './caller.ts'
import { accessErrors } from './errors.ts'
import { PARTNER_STAFF } from './permissions.ts'

const PARTNER_CLIENT = 'tfs-partner'

/** Which rows exist for a caller: the one rule, on both surfaces. */
export function scopeOf(caller: Caller): Scope {
  const { partyId, partnerId, subject } = caller
  if (partyId === undefined && partnerId === undefined) return { rows: 'ALL', subject }
  return {
    rows: 'ROWS',
    ...(partyId !== undefined && { partyId }),
    ...(partnerId !== undefined && { partnerId }),
    subject,
  }
}

/** The customer surface shows one party's rows, whoever asks. */
export function partyScopeOf(caller: Caller): Scope {
  return { ...scopeOf(caller), rows: 'ROWS', partyId: requireParty(caller) }
}

export function requireParty(caller: Caller): string {
  if (caller.partyId !== undefined) return caller.partyId
  throw accessErrors.PARTY_REQUIRED(
    'This area shows the contracts of one customer. Your account is not linked to a party; ask an administrator to link it.',
  )
}

/** Partner staff without a partner would otherwise be taken for staff of the house. */
export function requirePartnerOfStaff(caller: Caller): void {
  if (caller.partnerId !== undefined) return
  if (caller.permissions.has(PARTNER_STAFF) || caller.clientId?.startsWith(PARTNER_CLIENT)) {
    throw accessErrors.PARTNER_REQUIRED(
      'Your account belongs to a partner but carries no partnerId; ask an administrator to link it.',
    )
  }
}

export function isScoped(caller: Caller): boolean {
  return caller.partyId !== undefined || caller.partnerId !== undefined
}
