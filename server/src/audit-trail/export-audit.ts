import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { httpErrors } from '../http/errors.ts'
import { streamQuery } from '../http/stream-route.ts'
import type { Read } from '../storage/tx.ts'
import { ACCESS_BATCH_ACTION } from './access-row.ts'
import { checkpointsBetween, hashAt } from './checkpoint-store.ts'
import {
  EXPORT_FORMAT,
  type ExportBegin,
  type ExportEntry,
  type ExportLine,
  lineOf,
} from './export-line.ts'
import {
  accessBatch,
  type ChainedRecord,
  chainExtent,
  chainedRecords,
  personalValuesOf,
} from './export-store.ts'
import { GENESIS_HASH } from './record.ts'

/** Held in memory at a time; each page is a statement of its own. */
const PAGE_ENTRIES = 250
const Seq = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

interface Extras {
  readonly personal: boolean
  readonly accesses: boolean
}

export const exportAudit = streamQuery({
  id: 'exportAudit',
  surface: 'operations',
  path: '/audit/export',
  summary: 'Export the audit chain as JSON lines, for `tfs audit verify`.',
  permission: 'audit:read',
  unscopedOnly: true,
  streams: 'application/jsonl',
  query: Type.Object(
    {
      from: Type.Optional(Seq),
      to: Type.Optional(Seq),
      personal: Type.Optional(
        Type.Boolean({
          description:
            'with the personal values that are not erased; the file then outlives erasure',
        }),
      ),
      accesses: Type.Optional(Type.Boolean({ description: 'with the batches of the access log' })),
    },
    { additionalProperties: false },
  ),
  run: async ({ read, query }) => {
    const { last, at } = await chainExtent(read)
    const from = query.from ?? 1
    const to = Math.max(from - 1, Math.min(query.to ?? last, last))
    const previousHash = from === 1 ? GENESIS_HASH : await hashAt(read, from - 1)
    if (previousHash === undefined) throw beyondEnd(last)
    const extras = { personal: query.personal === true, accesses: query.accesses === true }
    return sealed(linesOf(read, { from, to, at, previousHash }, extras))
  },
})

type Extent = Pick<ExportBegin, 'from' | 'to' | 'at' | 'previousHash'>

async function* linesOf(read: Read, extent: Extent, extras: Extras): AsyncIterable<ExportLine> {
  yield { kind: 'export', format: EXPORT_FORMAT, ...extent }
  for (let from = extent.from; from <= extent.to; from += PAGE_ENTRIES) {
    const to = Math.min(extent.to, from + PAGE_ENTRIES - 1)
    const records = await chainedRecords(read, from, to)
    const checkpoints = Map.groupBy(await checkpointsBetween(read, from, to), ({ seq }) => seq)
    const ids = records.map(({ entry }) => entry?.id).filter((id) => id !== undefined)
    const personal = extras.personal ? await personalValuesOf(read, ids) : undefined
    for (const record of records) {
      const values = personal?.get(record.entry?.id ?? '')
      const line: ExportEntry = { kind: 'entry', ...record, ...(values && { personal: values }) }
      yield extras.accesses ? await withAccesses(read, line) : line
      for (const checkpoint of checkpoints.get(record.seq) ?? []) {
        yield { kind: 'checkpoint', checkpoint }
      }
    }
  }
}

async function withAccesses(read: Read, line: ExportEntry): Promise<ExportEntry> {
  const { entry }: Pick<ChainedRecord, 'entry'> = line
  if (entry?.action !== ACCESS_BATCH_ACTION || entry.itemId === null) return line
  return { ...line, accesses: await accessBatch(read, entry.itemId) }
}

/** The last line says how many there were and what they were: a cut is seen. */
async function* sealed(lines: AsyncIterable<ExportLine>): AsyncIterable<string> {
  const digest = createHash('sha256')
  let entries = 0
  for await (const line of lines) {
    if (line.kind === 'entry') entries += 1
    const text = `${lineOf(line)}\n`
    digest.update(text)
    yield text
  }
  yield `${lineOf({ kind: 'end', entries, sha256: digest.digest('hex') })}\n`
}

function beyondEnd(last: number) {
  const detail = `The chain ends with entry ${last}; "from" can be ${last + 1} at most.`
  return httpErrors.VALIDATION_FAILED(detail, {
    errors: [{ pointer: '/query/from', code: 'TOO_LARGE', detail }],
  })
}
