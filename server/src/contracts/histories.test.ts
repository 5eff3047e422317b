import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Client, TestAnswer } from '../../test/client.ts'
import { violationsIn } from '../../test/contract-invariants.ts'
import { forced } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'

/** Repeats a history: `TFS_TEST_SEED=… npm test`. */
const SEED = Number(process.env['TFS_TEST_SEED'] ?? randomInt(2 ** 31))
const LANES = 6
const STEPS = 30
const CONTRACTS = 5
const CRASHES = 8
/** Some are one person under two names. */
const PEOPLE = ['ana', 'ANA', 'ben', 'cem', 'dora', 'Dora']
const ANY = { 'if-match': '*' }

/** Mulberry32: small, and the same everywhere. */
function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Step = (client: Client, path: string, n: number) => Promise<TestAnswer>
const reason = { reason: 'History.' }
const STEPS_TO_TAKE: readonly Step[] = [
  (client, path, n) => client.patch(path, { externalRef: `H${n}` }, ANY),
  (client, path) => client.post(`${path}/submit`),
  (client, path) => client.post(`${path}/submit`),
  (client, path) => client.post(`${path}/approve`),
  (client, path) => client.post(`${path}/approve`),
  (client, path) => client.post(`${path}/reject`, reason),
  (client, path) => client.post(`${path}/return`, reason),
  (client, path) => client.post(`${path}/return`, reason),
  (client, path) => client.post(`${path}/withdraw`, reason),
  (client, path) => client.post(`${path}/reopen`, reason),
  (client, path) => client.post(`${path}/activate`),
]
const EXPECTED = new Set([200, 201, 403, 409, 412, 503])

describe.each(STORE_KINDS)(`random histories on %s, seed ${SEED}`, (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store, poolSize: LANES })
    partyId = await createParty(host.as('founder', ...PREPARING))
  })
  afterAll(() => host.close())

  const everyone = ['contract:approve', 'contract:activate', ...PREPARING]

  /** One user after another at random contracts, as fast as the answers come. */
  async function lane(seed: number, ids: string[]): Promise<TestAnswer[]> {
    const random = randomOf(seed)
    const answers: TestAnswer[] = []
    for (let n = 0; n < STEPS; n++) {
      const client = host.as(PEOPLE[random(PEOPLE.length)] as string, ...everyone)
      if (random(8) === 0) {
        const answer = await client.post(
          '/contracts',
          newContract(partyId, { draft: random(2) === 0 }),
        )
        answers.push(answer)
        if (answer.status === 201) ids[random(ids.length)] = answer.body.id
      } else {
        const step = STEPS_TO_TAKE[random(STEPS_TO_TAKE.length)] as Step
        answers.push(await step(client, `/contracts/${ids[random(ids.length)]}`, n))
      }
    }
    return answers
  }

  /** Connections are lost in the middle of whatever they were doing. */
  async function crashes(isOver: () => boolean): Promise<void> {
    const admin = postgres(inject('postgresAdminUrl'), { max: 1 })
    for (let n = 0; n < CRASHES && !isOver(); n++) {
      const found = await host.db
        .read({ rows: 'NONE' }, (read) =>
          read.one<{ pid: number }>(sql`select pg_backend_pid() as pid`),
        )
        .catch(() => undefined)
      if (found) await admin`select pg_terminate_backend(${found.pid})`
      await sleep(40)
    }
    await admin.end()
  }

  test('no history leaves what must never be found, though connections are lost (rule 15)', async () => {
    const ids: string[] = []
    for (let n = 0; n < CONTRACTS; n++) {
      const client = host.as(PEOPLE[n % PEOPLE.length] as string, ...everyone)
      ids.push(await createContract(client, newContract(partyId, { draft: n % 2 === 0 })))
    }
    let over = false
    const lanes = Array.from({ length: LANES }, (_, n) => lane(SEED + n, ids))
    const crashing = store === 'postgres' ? crashes(() => over) : Promise.resolve()
    const answers = (await Promise.all(lanes)).flat()
    over = true
    await crashing
    const statuses = Map.groupBy(answers, ({ status }) => status)
    const strange = answers.filter(({ status }) => !EXPECTED.has(status))
    expect(
      strange.map(({ text }) => text),
      `seed ${SEED}`,
    ).toEqual([])
    expect(statuses.get(200)?.length ?? 0).toBeGreaterThan(LANES)
    expect(answers.filter(({ code }) => code === 'FOUR_EYES_SAME_USER').length).toBeGreaterThan(0)
    expect(await violationsIn(host.db), `seed ${SEED}`).toEqual([])
  })

  test('the query finds each kind of wrong: it can fail', async () => {
    const paul = host.as('paul', ...everyone)
    const id = await createContract(paul, newContract(partyId))
    expect(await violationsIn(host.db)).toEqual([])
    const rules = async () => new Set((await violationsIn(host.db)).map(({ rule }) => rule))
    await forced(
      host.store,
      'contract',
      `update contract set state = 'REJECTED', decider = '{x}' where id = '${id}'`,
    )
    expect(await rules()).toContain('a row that is not where its story ends')
    await forced(
      host.store,
      'contract',
      `update contract set version = version + 1 where id = '${id}'`,
    )
    expect(await rules()).toContain('not exactly one audit entry')
    expect(await rules()).toContain('not exactly one event')
    await forced(
      host.store,
      'audit_entry',
      `insert into audit_entry (id, request_id, subject, username, mode, action, outcome, item_kind, item_id, item_version, diff)
       values ('aud_forged', 'r', 'dev:other', 'PAUL', 'developer', 'contract.approved', 'DONE', 'contract', '${id}', 2,
               '[{"pointer": "/state", "before": "PENDING_APPROVAL", "after": "ACTIVE"}]')`,
    )
    for (const rule of ['decided by a preparer', 'illegal move', 'decisions that were not taken']) {
      expect(await rules()).toContain(rule)
    }
  })
})
