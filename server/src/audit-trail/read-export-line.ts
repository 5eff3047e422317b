import { canonicalJson } from '../base/canonical-json.ts'
import { isCheckpoint } from './checkpoint.ts'
import { ExportRefused } from './export-fault.ts'
import {
  EXPORT_FORMAT,
  type ExportBegin,
  type ExportEntry,
  type ExportLine,
} from './export-line.ts'
import { GENESIS_HASH } from './record.ts'

/** One spelling for each value: a line that could be written otherwise was written otherwise. */
export function lineIn(text: string): ExportLine {
  let line: unknown
  try {
    line = JSON.parse(text)
    if (canonicalJson(line) === text && isLine(line)) return line
  } catch {
    throw new ExportRefused('the line cannot be read: it was changed or cut off')
  }
  const { seq, entry } = line as Partial<ExportEntry>
  throw new ExportRefused('the line is not as it was written', { seq, id: entry?.id })
}

function isLine(value: unknown): value is ExportLine {
  if (value === null || typeof value !== 'object') return false
  const { kind, seq, hash, entry, checkpoint } = value as Record<string, unknown>
  switch (kind) {
    case 'entry':
      return Number.isSafeInteger(seq) && typeof hash === 'string' && isEntry(entry)
    case 'checkpoint':
      return isCheckpoint(checkpoint)
    default:
      return kind === 'export' || kind === 'end'
  }
}

function isEntry(value: unknown): boolean {
  if (value === null) return true
  const { id, diff } = (value ?? {}) as Record<string, unknown>
  return typeof id === 'string' && Array.isArray(diff)
}

export function requireBegin(line: ExportLine): ExportBegin {
  if (line.kind !== 'export' || line.format !== EXPORT_FORMAT) {
    throw new ExportRefused('this is no audit export, or its beginning is missing')
  }
  const { from, to, previousHash } = line
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 1 || to < from - 1) {
    throw new ExportRefused('the beginning of the export was changed')
  }
  if (from === 1 && previousHash !== GENESIS_HASH) {
    throw new ExportRefused('the first entry does not begin the chain')
  }
  return line
}
