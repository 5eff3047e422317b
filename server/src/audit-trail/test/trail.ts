import type { Log } from '../../http/kernel.ts'
import { type AuditActor, type AuditEntry, recordAudit } from '../../storage/audit.ts'
import { recordEvent } from '../../storage/outbox.ts'
import type { Scope } from '../../storage/scope.ts'
import { sql } from '../../storage/sql.ts'
import type { Db, Tx } from '../../storage/tx.ts'
import { exportAudit } from '../export-audit.ts'

export const ALL: Scope = { rows: 'ALL' }

const writer: AuditActor = {
  subject: 'test:writer',
  username: 'writer',
  mode: 'developer',
  requestId: 'request-of-a-test',
}

/** One entry and one event, as a command leaves them. */
export async function recordWork(
  tx: Tx,
  id: string,
  entry: Partial<AuditEntry> = {},
): Promise<void> {
  const item = { kind: 'contract', id, version: 1 }
  await recordAudit(tx, writer, { action: 'contract.tried', item, ...entry })
  await recordEvent(tx, { type: 'contract.tried', item, requestId: writer.requestId })
}

export function work(db: Db, id: string, entry: Partial<AuditEntry> = {}): Promise<void> {
  return db.write(ALL, (tx) => recordWork(tx, id, entry))
}

/** Item ids in the order of the chain; the numbers must be 1, 2, 3 … */
export function chained(db: Db): Promise<{ seq: number; itemId: string }[]> {
  return db.read(ALL, (read) =>
    read.rows(sql`
      select c.seq, e.item_id as "itemId"
        from audit_chain c join audit_entry e on e.id = c.entry_id order by c.seq`),
  )
}

export function fed(db: Db): Promise<{ seq: number; itemId: string }[]> {
  return db.read(ALL, (read) =>
    read.rows(sql`
      select f.seq, e.item_id as "itemId"
        from event_feed f join event e on e.id = f.event_id order by f.seq`),
  )
}

export function numbersUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** The lines of an export, as the operation writes them. */
export async function exportedLines(db: Db, query: object = {}): Promise<string[]> {
  const pieces = await db.read(ALL, async (read) => exportAudit.run({ read, query }))
  let text = ''
  for await (const piece of pieces as AsyncIterable<string>) text += piece
  return text.trimEnd().split('\n')
}

export async function* each<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items
}

/** Keeps what was logged, for what must and must not be told. */
export function testLog(): Log & { readonly lines: { level: string; message: string }[] } {
  const lines: { level: string; message: string }[] = []
  const at = (level: string) => (_fields: object, message: string) => {
    lines.push({ level, message })
  }
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
