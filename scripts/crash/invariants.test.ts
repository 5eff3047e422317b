import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../server/test/host.ts'
import { send } from './client.ts'
import { findingsIn } from './invariants.ts'
import type { Acknowledged, Command } from './journal.ts'
import { approval, creation, newParty } from './writers.ts'

const commands = new Map<string, Command>()
const acknowledged = new Map<string, Acknowledged>()
const recorded = { commands, acknowledged }

let host: Host
let approvedId: string
beforeAll(async () => {
  host = await startHost()
  const partyId = await newParty(host.baseUrl)
  const sent = async (command: Command): Promise<Acknowledged> => {
    const outcome = await send(host.baseUrl, command)
    if (outcome.kind !== 'ACKNOWLEDGED') throw new Error(JSON.stringify(outcome))
    commands.set(command.key, command)
    acknowledged.set(command.key, outcome.answer)
    return outcome.answer
  }
  await sent(creation({ run: 'run', partyId }, 1, 1))
  const { contractId, key } = await sent(creation({ run: 'run', partyId }, 2, 1))
  approvedId = contractId
  await sent(approval(contractId, key, 1))
})
afterAll(() => host.close())

/** Breaks the rows as no path of the program could, looks, and takes it back. */
async function findingsAfter(statement: string) {
  const { rights } = host.store
  return rights.use(async (session) => {
    await session.script('begin; set local session_replication_role = replica')
    await session.script(statement)
    const looking = {
      ...rights,
      use: <T>(work: (same: typeof session) => Promise<T>) => work(session),
    }
    const found = await findingsIn(looking, recorded)
    await session.script('rollback')
    return found
  })
}

/** A search that finds nothing proves nothing before it has found something. */
describe('rule 18: the search for what a crash must not leave', () => {
  test('finds nothing in what was written in order', async () => {
    expect(await findingsIn(host.store.rights, recorded)).toEqual({ lost: [], violations: [] })
  })

  test('finds a contract that was acknowledged and is gone', async () => {
    const { lost } = await findingsAfter(`delete from contract where external_ref = 'run-1'`)
    expect(lost).toEqual([expect.stringMatching(/^run-1: ctr_\w+ version 1$/)])
  })

  test('finds an approval that was acknowledged and is gone', async () => {
    const { lost } = await findingsAfter(
      `update contract set version = 1 where external_ref = 'run-2'`,
    )
    expect(lost).toEqual([`run-2-approve: ${approvedId} version 2`])
  })

  test.each([
    ['a version without exactly one audit entry', 'delete from audit_entry where item_version = 2'],
    ['a version without exactly one event', 'delete from event where item_version = 2'],
    [
      'a version without exactly one event',
      `insert into event (id, type, item_kind, item_id, item_version, request_id)
       select 'evt_x', type, item_kind, item_id, item_version, request_id from event
        where item_kind = 'contract' limit 1`,
    ],
    ['an audit entry or event of something that is not there', 'delete from contract'],
    [
      'a decision by a preparer, or a state without its decision',
      `update contract set decisions = '[]' where state = 'APPROVED'`,
    ],
    ['two contracts of one command', `update contract set external_ref = 'run-1'`],
    ['a kept answer of something that is not there', 'delete from contract'],
    ['a contract without its kept answer', 'delete from idempotency'],
    ['never sent', `update contract set external_ref = 'other' where external_ref = 'run-1'`],
  ])('finds %s (%#)', async (name, statement) => {
    const { violations } = await findingsAfter(statement)
    expect(violations.some((line) => line.startsWith(name))).toBe(true)
  })
})
