import { personKeysOf } from '../src/access/four-eyes.ts'
import { shortDigest } from '../src/base/digest.ts'
import { CONTRACT_STATES, type ContractState } from '../src/contracts/states.ts'
import { demoPerson } from '../src/demo/people.ts'
import { insertPartner } from '../src/partners/index.ts'
import { type Statement, sql } from '../src/storage/sql.ts'
import type { Db } from '../src/storage/tx.ts'
import type { Client, TestAnswer } from './client.ts'
import type { Host } from './host.ts'
import { createContract, newContract, PREPARING } from './samples.ts'
import type { TestStore } from './stores.ts'

export const DECIDING = ['contract:read', 'contract:approve'] as const

/** Every state, and the draft that was returned, which reads and refuses differently. */
export const SITUATIONS = [...CONTRACT_STATES, 'RETURNED'] as const
export type Situation = ContractState | 'RETURNED'

/** Someone as the database knows people. */
export interface Actor {
  readonly subject: string
  readonly username: string
}

export const developer = (username: string): Actor => ({ subject: `dev:${username}`, username })

export const refOf = ({ subject, username }: Actor) => ({ id: shortDigest(subject), username })

export const keysOf = (actor: Actor): string[] =>
  personKeysOf({ ...actor, human: true, permissions: new Set(), mode: 'developer' })

export async function succeeded(answer: Promise<TestAnswer>): Promise<TestAnswer> {
  const got = await answer
  if (got.status >= 300) throw new Error(`${got.status}: ${got.text}`)
  return got
}

/** A contract that paul prepared and, where the situation needs it, ana decided; in developer mode. */
export async function contractIn(
  host: Host,
  situation: Situation,
  content: object & { partyId: string },
): Promise<string> {
  const paul = host.as('paul', ...PREPARING)
  const ana = host.as('ana', ...DECIDING)
  const id = await createContract(paul, {
    ...newContract(content.partyId, { ...content }),
    ...(situation === 'DRAFT' && { draft: true }),
  })
  const reason = { reason: 'So it is.' }
  const path = `/contracts/${id}`
  if (situation === 'REJECTED') await succeeded(ana.post(`${path}/reject`, reason))
  if (situation === 'RETURNED') await succeeded(ana.post(`${path}/return`, reason))
  if (situation === 'WITHDRAWN') await succeeded(paul.post(`${path}/withdraw`, reason))
  if (!['APPROVED', 'ACTIVE', 'SETTLED', 'TERMINATED'].includes(situation)) return id
  await succeeded(ana.post(`${path}/approve`))
  if (situation === 'APPROVED') return id
  await succeeded(host.as('cem', 'contract:activate').post(`${path}/activate`))
  if (situation === 'ACTIVE') return id
  const move = situation === 'SETTLED' ? 'settle' : 'terminate'
  const proposed = await succeeded(
    host.as('paul', `contract:${move}`).post(`${path}/${move}`, {
      ...reason,
      effectiveDate: '2027-01-31',
    }),
  )
  await succeeded(ana.post(`${path}/changes/${proposed.body.id}/approve`))
  return id
}

export function decisionBy(actor: Actor, word: string): Statement {
  return sql`jsonb_build_array(jsonb_build_object(
    'decision', ${word}::text, 'by', ${refOf(actor)}::jsonb, 'at', ${dbNow}, 'version', version,
    'versionStated', false, 'contentHash', content_hash))`
}

export const dbNow: Statement = sql`
  to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export async function partnerNamed(db: Db, code: string): Promise<string> {
  const founder = demoPerson('founder', 'developer')
  const { id } = await db.write({ rows: 'ALL', subject: founder.subject }, (tx) =>
    insertPartner(tx, { code, name: `Partner ${code}`, kind: 'DEALER' }, founder),
  )
  return id
}

/** All pages of a list, one after the other. */
export async function pagesOf(client: Client, path: string, limit: number): Promise<unknown[][]> {
  const pages: unknown[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const next: string = cursor === '' ? '' : `&cursor=${cursor}`
    const separator = path.includes('?') ? '&' : '?'
    const { body } = await succeeded(client.get(`${path}${separator}limit=${limit}${next}`))
    pages.push(body.items)
    cursor = body.nextCursor
  }
  return pages
}

/** Counts of what a command leaves behind, to see that a refusal leaves nothing. */
export async function leftBehind(db: Db): Promise<Record<string, number>> {
  return db.read({ rows: 'ALL', subject: 'test' }, (read) =>
    read.one(sql`
      select (select count(*) from contract) as contracts, (select count(*) from party) as parties,
             (select coalesce(sum(version), 0)::bigint from contract) as versions,
             (select count(*) from event) as events,
             (select count(*) from audit_entry where outcome = 'DONE') as done,
             (select count(*) from audit_personal_value) as "personalValues"`),
  )
}

/** What no operation does yet, or ever: with the owner's rights, policies and triggers away meanwhile. */
export async function forced(store: TestStore, table: string, statement: string): Promise<void> {
  await store.rights.use(async (session) => {
    await session.query('begin', [])
    try {
      await session.script(`
        alter table ${table} no force row level security;
        alter table ${table} disable trigger user;
        ${statement};
        alter table ${table} enable trigger user;
        alter table ${table} force row level security`)
      await session.query('commit', [])
    } catch (error) {
      await session.query('rollback', [])
      throw error
    }
  })
}

export const blockParty = (store: TestStore, id: string): Promise<void> =>
  forced(store, 'party', `update party set state = 'BLOCKED' where id = '${id}'`)

export const suspendPartner = (store: TestStore, id: string): Promise<void> =>
  forced(store, 'partner', `update partner set state = 'SUSPENDED' where id = '${id}'`)
