import type { Warning } from '../http/route.ts'

/** The same object financed twice is sometimes right and often a mistake: people decide. */
export function lookalikeWarnings(
  others: readonly { number: string; sameSerial: boolean }[],
): Warning[] {
  return others.map(({ number, sameSerial }) =>
    sameSerial
      ? {
          code: 'SERIAL_NUMBER_IN_USE',
          detail: `Contract ${number} is live and has the same serial number.`,
        }
      : {
          code: 'EXTERNAL_REF_IN_USE',
          detail: `Contract ${number} is live and has the same external reference.`,
        },
  )
}
