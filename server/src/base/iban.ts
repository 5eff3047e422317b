import { accepted, type Fault, type Outcome, refused } from './fault.ts'

export type IbanFaultCode = 'IBAN_MASKED' | 'IBAN_MALFORMED' | 'IBAN_CHECKSUM'

const SHAPE = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
const SHOWN_FIRST = 4
const SHOWN_LAST = 4

/** ISO 13616: letters become numbers, the first four characters go to the end, the rest is 1 modulo 97. */
export function readIban(written: string): Outcome<string, Fault<IbanFaultCode>> {
  if (written.includes('*')) {
    return refused({
      code: 'IBAN_MASKED',
      detail: 'This IBAN is masked. Send the whole number, or leave the bank account out.',
    })
  }
  const iban = written.replaceAll(' ', '').toUpperCase()
  if (!SHAPE.test(iban)) {
    return refused({
      code: 'IBAN_MALFORMED',
      detail: 'Write an IBAN such as DE89 3704 0044 0532 0130 00.',
    })
  }
  if (remainderOf(iban) !== 1) {
    return refused({
      code: 'IBAN_CHECKSUM',
      detail: 'The check digits do not fit: a digit is missing, wrong or swapped.',
    })
  }
  return accepted(iban)
}

function remainderOf(iban: string): number {
  const turned = iban.slice(4) + iban.slice(0, 4)
  let remainder = 0
  for (const char of turned) {
    const value = Number.parseInt(char, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}

/** Country, check digits and the last four: enough to recognise, too little to use. */
export function maskedIban(iban: string): string {
  const hidden = Math.max(0, iban.length - SHOWN_FIRST - SHOWN_LAST)
  return iban.slice(0, SHOWN_FIRST) + '*'.repeat(hidden) + iban.slice(-SHOWN_LAST)
}
