import type { Caller } from '../access/caller.ts'
import {
  type Carrier,
  type ChangeKind,
  type ChangeResource,
  proposeChange,
  type StoredChange,
} from '../changes/index.ts'
import type { ChangeFact } from '../http/route.ts'
import { type BankAccount, maskedAccount } from '../parties/index.ts'
import type { Tx } from '../storage/tx.ts'
import type { StoredPartner } from './partner.ts'
import { partnerById, partnerForUpdate, resume, setBankAccount } from './store.ts'

/** Changes of partners: of the bank account, and the end of a suspension. */
export const partnerChanges: ChangeResource = {
  itemKind: 'partner',
  path: '/partners',
  itemParam: 'partner_id',
  name: 'Partner',
  readPermission: ['partner:read', 'partner:approve'],
  approvePermission: 'partner:approve',
  preparePermission: ['partner:update', 'partner:create'],
  houseOnly: ['PARTNER', 'RESUME'],
  readItem: partnerById,
  lockItem: partnerForUpdate,
  carryOut,
}

async function carryOut(tx: Tx, approved: StoredChange, { caller }: Carrier): Promise<ChangeFact> {
  const partner = await partnerForUpdate(tx, approved.itemId)
  if (approved.kind === 'RESUME') {
    return factOf('partner.resumed', partner, await resume(tx, partner.id, approved.id, caller))
  }
  const { bankAccount } = approved.proposal as { bankAccount: BankAccount | null }
  const changed = await setBankAccount(tx, partner.id, bankAccount, {
    changeId: approved.id,
    caller,
  })
  return factOf('partner.changed', partner, changed)
}

interface PartnerProposal {
  readonly kind: ChangeKind
  readonly reason: string
  readonly before: object
  readonly after: object
  readonly proposal: Readonly<Record<string, unknown>>
  readonly caller: Caller
}

export function proposePartnerChange(
  tx: Tx,
  partner: StoredPartner,
  asked: PartnerProposal,
): Promise<StoredChange> {
  return proposeChange(tx, {
    ...asked,
    itemKind: 'partner',
    item: partner,
    partyId: null,
    partnerId: partner.id,
  })
}

/** A partner's bank data are kept like a person's: the entry carries hashes, the IBAN is masked. */
export function factOf(
  name: `partner.${string}`,
  before: StoredPartner | undefined,
  after: StoredPartner,
  reason?: string,
): ChangeFact {
  return {
    name,
    item: { id: after.id, version: after.version },
    ...(before && { before: auditedOf(before) }),
    after: { ...auditedOf(after), ...(reason !== undefined && { reason }) },
    personal: { partyId: after.id, pointers: ['/bankAccount'] },
  }
}

function auditedOf({ code, name, kind, state, version, bankAccount }: StoredPartner): object {
  const account = bankAccount && maskedAccount(bankAccount)
  return { code, name, kind, state, version, ...(account && { bankAccount: account }) }
}
