import { readDate } from '../base/dates.ts'
import { isInstant, type PageRequest, requirePosition } from '../http/paging.ts'
import type { StoredContract } from './stored-contract.ts'

export const SORT_KEYS = ['createdAt', 'number', 'financedAmount', 'firstDueDate'] as const
export type SortKey = (typeof SORT_KEYS)[number]

export const SORTS = SORT_KEYS.flatMap((key) => [key, `-${key}`] as const)
export type Sort = SortKey | `-${SortKey}`

export const DEFAULT_SORT: Sort = '-createdAt'

interface SortValue {
  readonly of: (contract: StoredContract) => string
  readonly isValid: (text: string) => boolean
}

const VALUES: Readonly<Record<SortKey, SortValue>> = {
  createdAt: { of: (contract) => contract.createdAt, isValid: isInstant },
  number: { of: (contract) => contract.number, isValid: (text) => !text.includes('\0') },
  financedAmount: {
    of: (contract) => contract.terms.financedAmount.amount,
    isValid: (text) => /^\d{1,15}(?:\.\d{1,4})?$/.test(text),
  },
  firstDueDate: {
    of: (contract) => contract.terms.firstDueDate,
    isValid: (text) => readDate(text).ok,
  },
}

export function orderOf(sort: Sort): { key: SortKey; descending: boolean } {
  const descending = sort.startsWith('-')
  return { key: (descending ? sort.slice(1) : sort) as SortKey, descending }
}

export function positionOf(key: SortKey): (contract: StoredContract) => readonly string[] {
  return (contract) => [VALUES[key].of(contract), contract.id]
}

export function requireSortPosition(page: PageRequest, key: SortKey): void {
  requirePosition(page, VALUES[key].isValid)
}
