import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../http/kernel.ts'
import { type AuditActor, type AuditEntry, recordAudit } from '../../storage/audit.ts'
import { recordEvent } from '../../storage/outbox.ts'
import type { Scope } from '../../storage/scope.ts'
import { sql } from '../../storage/sql.ts'
import type { Db, Tx } from '../../storage/tx.ts'
import { exportAudit } from '../export-audit.ts'
import type { Sequencer } from '../sequencer.ts'

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

const PATIENCE_MS = 20_000

/**
 * Runs the sequencer until nothing is left. A server has one row of xids for all its databases, so that
 * other tests which are writing can hold an entry back for a moment. Answers the entries chained.
 */
export async function chainAll(db: Db, sequencer: Sequencer): Promise<number> {
  const giveUpAt = Date.now() + PATIENCE_MS
  for (let chained = 0; ; await sleep(10)) {
    chained += await sequencer.runOnce()
    const { left } = await db.read(ALL, (read) =>
      read.one<{ left: number }>(sql`
        select (select count(*) from audit_entry) - (select count(*) from audit_chain)
             + (select count(*) from event) - (select count(*) from event_feed) as left`),
    )
    if (left === 0) return chained
    if (Date.now() > giveUpAt) throw new Error(`${left} entries and events were not numbered.`)
  }
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

/** Someone with all rights of the owner, triggers and policies out of the way. */
export function behindTheBack(text: string): string {
  const tables = ['audit_entry', 'audit_chain', 'event', 'event_feed']
  const each = (words: string): string =>
    tables.map((table) => `alter table ${table} ${words};`).join(' ')
  return `begin;
    ${each('disable trigger user')} ${each('no force row level security')}
    ${text};
    ${each('force row level security')} ${each('enable trigger user')}
    commit`
}
