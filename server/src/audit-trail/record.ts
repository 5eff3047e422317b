import { canonicalJson } from '../base/canonical-json.ts'
import type { DiffRow } from '../base/diff.ts'
import { sha256Hex } from '../base/digest.ts'

/** One audit entry as it is hashed, exported and proved: every member counts. */
export interface AuditRecord {
  readonly id: string
  readonly at: string
  readonly requestId: string
  readonly subject: string
  readonly username: string
  readonly clientId: string | null
  readonly sessionId: string | null
  readonly issuer: string | null
  readonly mode: string
  readonly actor: string | null
  readonly remoteAddress: string | null
  readonly action: string
  readonly outcome: string
  readonly code: string | null
  readonly itemKind: string | null
  readonly itemId: string | null
  readonly itemVersion: number | null
  readonly diff: readonly DiffRow[]
}

/** Stands where the first entry has no entry before it. */
export const GENESIS_HASH = '0'.repeat(64)

/** Number, what came before and the whole entry: none can change without changing all that follow. */
export function chainHashOf(seq: number, previousHash: string, record: unknown): string {
  return sha256Hex(canonicalJson([seq, previousHash, record]))
}

/** A personal value as the entry carries it; the value itself stands in a table that can be erased. */
export interface HiddenValue {
  readonly sha256: string
}

export function isHidden(value: unknown): value is HiddenValue {
  return (
    value !== null &&
    typeof value === 'object' &&
    typeof (value as { sha256?: unknown }).sha256 === 'string' &&
    Object.keys(value).length === 1
  )
}

export function hiddenHashOf(salt: string, value: unknown): string {
  return sha256Hex(salt + canonicalJson(value))
}

export interface PersonalValue {
  readonly pointer: string
  readonly side: 'before' | 'after'
  readonly salt: string
  readonly value: unknown
}
