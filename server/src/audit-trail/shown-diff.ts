import type { DiffRow } from '../base/diff.ts'
import { isHidden, type PersonalValue } from './record.ts'

export const ERASED = 'erased'

export interface ShownDiffRow extends DiffRow {
  readonly personal?: boolean
}

/** Hashes give way to the values that they stand for, as long as those are not erased. */
export function shownDiffOf(
  diff: readonly DiffRow[],
  personal: readonly PersonalValue[],
): ShownDiffRow[] {
  return diff.map((row) => {
    if (!isHidden(row.before) && !isHidden(row.after)) return row
    const shown = (side: 'before' | 'after'): unknown => {
      if (!isHidden(row[side])) return row[side]
      const known = personal.find((value) => value.pointer === row.pointer && value.side === side)
      return known === undefined ? ERASED : known.value
    }
    return { pointer: row.pointer, before: shown('before'), after: shown('after'), personal: true }
  })
}
