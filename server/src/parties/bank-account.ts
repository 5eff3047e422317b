import { type Static, Type } from 'typebox'
import type { FieldFault } from '../base/errors.ts'
import { maskedIban, readIban } from '../base/iban.ts'
import { Exact, Text } from '../base/schema.ts'

/** On read the IBAN is masked. */
export const BankAccount = Exact({
  iban: Type.String({ minLength: 5, maxLength: 42, description: 'an IBAN; masked on read' }),
  holder: Text(140),
})
export type BankAccount = Static<typeof BankAccount>

export function readBankAccount(
  written: BankAccount,
  pointer: string,
): { account: BankAccount } | { faults: FieldFault[] } {
  const iban = readIban(written.iban)
  if (!iban.ok) return { faults: [{ pointer: `${pointer}/iban`, ...iban.fault }] }
  return { account: { iban: iban.value, holder: written.holder } }
}

export function maskedAccount({ iban, holder }: BankAccount): BankAccount {
  return { iban: maskedIban(iban), holder }
}
