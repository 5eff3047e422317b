import { type Static, Type } from 'typebox'
import { canonicalJson } from '../base/canonical-json.ts'
import { Exact, Nullable, OneOf } from '../base/schema.ts'
import type { AccessRow } from './access-row.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { AuditRecord, PersonalValue } from './record.ts'

/**
 * An export is JSON lines: `export`, then each entry with the checkpoints that were signed at it, then
 * `end`. Every line is canonical JSON, so that no byte can change without being seen.
 */
export type ExportLine = ExportBegin | ExportEntry | ExportCheckpoint | ExportEnd

export const EXPORT_FORMAT = 'tfs-audit-export/1'

const MaybeText = Nullable(Type.String())
const Seq = Type.Integer({ minimum: 1 })

const RecordShape = Exact({
  id: Type.String(),
  at: Type.String(),
  requestId: Type.String(),
  subject: Type.String(),
  username: Type.String(),
  clientId: MaybeText,
  sessionId: MaybeText,
  issuer: MaybeText,
  mode: Type.String(),
  actor: MaybeText,
  remoteAddress: MaybeText,
  action: Type.String(),
  outcome: Type.String(),
  code: MaybeText,
  itemKind: MaybeText,
  itemId: MaybeText,
  itemVersion: Nullable(Type.Integer()),
  diff: Type.Array(
    Exact({ pointer: Type.String(), before: Type.Unknown(), after: Type.Unknown() }),
  ),
})

const PersonalShape = Exact({
  pointer: Type.String(),
  side: OneOf(['before', 'after']),
  salt: Type.String(),
  value: Type.Unknown(),
})

const AccessShape = Exact({
  partyId: Type.String(),
  itemKind: Type.String(),
  itemId: Type.String(),
  action: Type.String(),
  at: Type.String(),
  surface: OneOf(['OPERATIONS', 'PARTNER']),
  subject: Type.String(),
  username: Type.String(),
  requestId: Type.String(),
})

export const CheckpointShape = Exact({
  seq: Seq,
  hash: Type.String(),
  at: Type.String(),
  keyId: Type.String(),
  signature: Type.String(),
})

export const ExportBegin = Exact({
  kind: Type.Literal('export'),
  format: Type.Literal(EXPORT_FORMAT),
  /** By the clock of the database. */
  at: Type.String(),
  from: Seq,
  to: Type.Integer({ minimum: 0 }),
  /** Of the entry before the first one here. */
  previousHash: Type.String(),
})
export type ExportBegin = Static<typeof ExportBegin>

export const ExportEntry = Exact({
  kind: Type.Literal('entry'),
  seq: Seq,
  hash: Type.String(),
  /** Null where the trail has lost it, which breaks the proof. */
  entry: Type.Union([RecordShape, Type.Null()]),
  /** On demand, and as long as they are not erased. */
  personal: Type.Optional(Type.Array(PersonalShape)),
  /** On demand, of an entry that stands for a batch of the access log. */
  accesses: Type.Optional(Type.Array(AccessShape)),
})
export type ExportEntry = {
  readonly kind: 'entry'
  readonly seq: number
  readonly hash: string
  readonly entry: AuditRecord | null
  readonly personal?: readonly PersonalValue[]
  readonly accesses?: readonly AccessRow[]
}

export const ExportCheckpoint = Exact({
  kind: Type.Literal('checkpoint'),
  checkpoint: CheckpointShape,
})
export type ExportCheckpoint = { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint }

export const ExportEnd = Exact({
  kind: Type.Literal('end'),
  entries: Type.Integer({ minimum: 0 }),
  /** Over every line before this one, each with its line feed. */
  sha256: Type.String(),
})
export type ExportEnd = Static<typeof ExportEnd>

export function lineOf(line: ExportLine): string {
  return canonicalJson(line)
}
