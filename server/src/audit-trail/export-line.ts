import { canonicalJson } from '../base/canonical-json.ts'
import type { AccessRow } from './access-row.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { AuditRecord, PersonalValue } from './record.ts'

/**
 * An export is JSON lines: `export`, then each entry with the checkpoints that were signed at it, then
 * `end`. Every line is canonical JSON, so that no byte can change without being seen.
 */
export type ExportLine = ExportBegin | ExportEntry | ExportCheckpoint | ExportEnd

export const EXPORT_FORMAT = 'tfs-audit-export/1'

export interface ExportBegin {
  readonly kind: 'export'
  readonly format: typeof EXPORT_FORMAT
  /** By the clock of the database. */
  readonly at: string
  readonly from: number
  readonly to: number
  /** Of the entry before the first one here. */
  readonly previousHash: string
}

export interface ExportEntry {
  readonly kind: 'entry'
  readonly seq: number
  readonly hash: string
  /** Null where the trail has lost it, which breaks the proof. */
  readonly entry: AuditRecord | null
  /** On demand, and as long as they are not erased. */
  readonly personal?: readonly PersonalValue[]
  /** On demand, of an entry that stands for a batch of the access log. */
  readonly accesses?: readonly AccessRow[]
}

export interface ExportCheckpoint {
  readonly kind: 'checkpoint'
  readonly checkpoint: Checkpoint
}

export interface ExportEnd {
  readonly kind: 'end'
  readonly entries: number
  /** Over every line before this one, each with its line feed. */
  readonly sha256: string
}

export function lineOf(line: ExportLine): string {
  return canonicalJson(line)
}
