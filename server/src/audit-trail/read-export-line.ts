import { Compile } from 'typebox/compile'
import { canonicalJson } from '../base/canonical-json.ts'
import { ExportRefused } from './export-fault.ts'
import {
  ExportBegin,
  ExportCheckpoint,
  ExportEnd,
  ExportEntry,
  type ExportLine,
} from './export-line.ts'
import { GENESIS_HASH } from './record.ts'

const SHAPES: Readonly<Record<string, { Check(value: unknown): boolean }>> = {
  export: Compile(ExportBegin),
  entry: Compile(ExportEntry),
  checkpoint: Compile(ExportCheckpoint),
  end: Compile(ExportEnd),
}

/** One spelling for each value: a line that could be written otherwise was written otherwise. */
export function lineIn(text: string): ExportLine {
  const line = readable(text)
  const { kind, seq, entry } = (line ?? {}) as Record<string, unknown>
  const shape = Object.hasOwn(SHAPES, String(kind)) ? SHAPES[String(kind)] : undefined
  if (shape?.Check(line)) return line as ExportLine
  throw new ExportRefused('the line is not as it was written', {
    seq: typeof seq === 'number' ? seq : undefined,
    id: (entry as { id?: string } | null | undefined)?.id,
  })
}

function readable(text: string): unknown {
  try {
    const line: unknown = JSON.parse(text)
    if (canonicalJson(line) === text) return line
  } catch {
    // Neither JSON nor what JSON can say again: both mean the same to whoever asks for proof.
  }
  throw new ExportRefused('the line cannot be read: it was changed or cut off')
}

export function requireBegin(line: ExportLine): ExportBegin {
  if (line.kind !== 'export') {
    throw new ExportRefused('this is no audit export, or its beginning is missing')
  }
  if (line.to < line.from - 1) {
    throw new ExportRefused('the beginning of the export was changed')
  }
  if (line.from === 1 && line.previousHash !== GENESIS_HASH) {
    throw new ExportRefused('the first entry does not begin the chain')
  }
  return line
}
