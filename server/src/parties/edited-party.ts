import { mergePatch } from '../base/merge-patch.ts'
import { Exact } from '../base/schema.ts'
import { httpErrors } from '../http/errors.ts'
import { validatorOf } from '../http/validate.ts'
import { BankAccount, readBankAccount } from './bank-account.ts'
import type { PartyData } from './life-store.ts'
import { NewParty, partyFaultsOf, type StoredParty } from './party.ts'

const requireParty = validatorOf(NewParty, '')
/** The member inside its document, so that faults point to where it stands. */
const requireAccount = validatorOf(Exact({ bankAccount: BankAccount }), '')

/** The party as it would be: the patch applied, checked as a new one is. */
export function editedParty(party: StoredParty, patch: object, today: string): PartyData {
  const { bankAccount: accountPatch, ...dataPatch } = patch as { bankAccount?: unknown }
  const given = mergePatch(dataOf(party), dataPatch)
  requireParty(given)
  const errors = partyFaultsOf(given as NewParty, today)
  if (errors.length > 0) {
    throw httpErrors.VALIDATION_FAILED('The party would not be consistent.', { errors })
  }
  return { given: given as NewParty, bankAccount: accountAfter(party, accountPatch) }
}

/** A bank account is given whole: half of one is none. */
function accountAfter({ bankAccount }: StoredParty, patch: unknown): BankAccount | null {
  if (patch === undefined) return bankAccount ?? null
  if (patch === null) return null
  requireAccount({ bankAccount: patch })
  const read = readBankAccount(patch as BankAccount, '/bankAccount')
  if ('account' in read) return read.account
  throw httpErrors.VALIDATION_FAILED('The bank account is not valid.', { errors: read.faults })
}

export function dataOf(party: StoredParty): NewParty {
  const { type, person, organisation, email, phone, address, language, externalRef } = party
  return {
    type,
    ...(person && { person }),
    ...(organisation && { organisation }),
    ...(email && { email }),
    ...(phone && { phone }),
    ...(address && { address }),
    ...(language && { language }),
    ...(externalRef && { externalRef }),
  }
}

/** What the decider compares: everything that a change of kind PARTY can restate. */
export function comparedOf(party: StoredParty): object {
  return { ...dataOf(party), bankAccount: party.bankAccount }
}

/** Language and external reference need no second person. */
export function isPlainEdit(party: StoredParty, { given, bankAccount }: PartyData): boolean {
  const { language: _, externalRef: __, ...before } = dataOf(party)
  const { language: ___, externalRef: ____, ...after } = given
  return (
    JSON.stringify([before, party.bankAccount ?? null]) === JSON.stringify([after, bankAccount])
  )
}
