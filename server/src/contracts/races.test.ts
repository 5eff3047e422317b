import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAnswer } from '../../test/client.ts'
import { violationsIn } from '../../test/contract-invariants.ts'
import { contractIn, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'

const APPROVERS = 12
const ROUNDS = 5

const outcomeOf = ({ status, code }: TestAnswer): string => code ?? String(status)
const tally = (answers: readonly TestAnswer[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(answers, outcomeOf)].map(([name, all]) => [name, all.length]))

describe.each(STORE_KINDS)('at the same instant on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store, poolSize: APPROVERS })
    partyId = await createParty(paul())
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const approver = (n: number) => host.as(`approver-${n}`, 'contract:approve', ...PREPARING)
  const prepared = () => createContract(paul(), newContract(partyId))
  const stateOf = async (id: string) => (await paul().get(`/contracts/${id}`)).body
  const traces = (id: string, name: string) =>
    host.db.read({ rows: 'ALL' }, (read) =>
      read.one<{ entries: number; events: number }>(sql`
        select (select count(*) from audit_entry where item_id = ${id} and action = ${name}) as entries,
               (select count(*) from event where item_id = ${id} and type = ${name}) as events`),
    )

  test('many approvers: exactly one 200, ALREADY_DECIDED for the others, one entry, one event (rule 15)', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await prepared()
      const answers = await Promise.all(
        Array.from({ length: APPROVERS }, (_, n) => approver(n).post(`/contracts/${id}/approve`)),
      )
      expect(tally(answers)).toEqual({ 200: 1, ALREADY_DECIDED: APPROVERS - 1 })
      const winner = answers.find(({ status }) => status === 200)?.body
      const { state, version, approval } = await stateOf(id)
      expect({ state, version }).toEqual({ state: 'APPROVED', version: 2 })
      expect(approval.decisions).toEqual(winner.approval.decisions)
      for (const loser of answers.filter(({ status }) => status !== 200)) {
        expect(loser.body.decidedBy).toEqual(approval.decisions[0].by)
      }
      expect(await traces(id, 'contract.approved')).toEqual({ entries: 1, events: 1 })
    }
  })

  test('the same approver many times: one decision (rule 15)', async () => {
    const id = await prepared()
    const answers = await Promise.all(
      Array.from({ length: APPROVERS }, () => approver(1).post(`/contracts/${id}/approve`)),
    )
    expect(tally(answers)).toEqual({ 200: 1, ALREADY_DECIDED: APPROVERS - 1 })
  })

  test.each([
    ['return', 'DRAFT'],
    ['reject', 'REJECTED'],
  ])('approve against %s: one decision wins (rule 15)', async (move, state) => {
    const seen = new Set<string>()
    for (let round = 0; round < ROUNDS; round++) {
      const id = await prepared()
      const [first, second] = round % 2 ? [0, 1] : [1, 0]
      const calls = [
        () => approver(1).post(`/contracts/${id}/approve`),
        () => approver(2).post(`/contracts/${id}/${move}`, { reason: 'No.' }),
      ]
      const answers = await Promise.all([
        calls[first]?.(),
        calls[second]?.(),
      ] as Promise<TestAnswer>[])
      expect(tally(answers)).toEqual({ 200: 1, ALREADY_DECIDED: 1 })
      const after = await stateOf(id)
      expect(['APPROVED', state]).toContain(after.state)
      expect(after.version).toBe(2)
      seen.add(after.state)
    }
    expect(seen.size).toBeGreaterThan(0)
  })

  test('approve against withdraw: approved and then withdrawn, or withdrawn alone (rule 15)', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await prepared()
      const [approved, withdrawn] = await Promise.all([
        approver(1).post(`/contracts/${id}/approve`),
        paul().post(`/contracts/${id}/withdraw`, { reason: 'Gone.' }),
      ])
      expect(withdrawn.status).toBe(200)
      const { state, version, approval } = await stateOf(id)
      expect(state).toBe('WITHDRAWN')
      const both = approved.status === 200
      if (!both) expect(approved.code).toBe('INVALID_STATE')
      expect(version).toBe(both ? 3 : 2)
      expect(approval.decisions).toHaveLength(both ? 1 : 0)
    }
  })

  test('approve against edit: a pending contract stays as it was submitted (rule 15)', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await prepared()
      const { approval } = await stateOf(id)
      const [approved, edited] = await Promise.all([
        approver(1).post(`/contracts/${id}/approve`),
        paul().patch(`/contracts/${id}`, { externalRef: 'X' }, { 'if-match': '*' }),
      ])
      expect([approved.status, edited.code]).toEqual([200, 'INVALID_STATE'])
      expect((await stateOf(id)).approval.contentHash).toBe(approval.contentHash)
    }
  })

  test('approve against return and re-submit with other terms: what is approved is what stands (rule 15)', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await contractIn(host, 'RETURNED', { partyId })
      const path = `/contracts/${id}`
      const resubmit = async () => {
        await succeeded(paul().patch(path, { externalRef: `R${round}` }, { 'if-match': '*' }))
        return paul().post(`${path}/submit`)
      }
      const [submitted, approved] = await Promise.all([
        resubmit(),
        approver(1).post(`${path}/approve`),
      ])
      expect(submitted.status).toBe(200)
      expect(['200', 'ALREADY_DECIDED']).toContain(outcomeOf(approved))
      const after = await stateOf(id)
      expect(after.state).toBe(approved.status === 200 ? 'APPROVED' : 'PENDING_APPROVAL')
      if (approved.status !== 200) continue
      expect(after.approval.decisions.at(-1).contentHash).toBe(after.approval.contentHash)
      expect(after.externalRef).toBe(`R${round}`)
    }
  })

  test('submit against edit: both in one order or the other, and the version seen decides (rule 15)', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await createContract(paul(), newContract(partyId, { draft: true }))
      const [submitted, edited] = await Promise.all([
        approver(3).post(`/contracts/${id}/submit`, undefined, { 'if-match': '"1"' }),
        paul().patch(`/contracts/${id}`, { externalRef: 'X' }, { 'if-match': '"1"' }),
      ])
      const outcomes = [outcomeOf(submitted), outcomeOf(edited)]
      expect([
        ['200', 'INVALID_STATE'],
        ['VERSION_CONFLICT', '200'],
      ]).toContainEqual(outcomes)
      expect((await stateOf(id)).version).toBe(2)
    }
  })

  test('two editors of one version: one change, the other learns of it', async () => {
    const id = await createContract(paul(), newContract(partyId, { draft: true }))
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        approver(n).patch(`/contracts/${id}`, { externalRef: `E${n}` }, { 'if-match': '"1"' }),
      ),
    )
    expect(tally(answers)).toEqual({ 200: 1, VERSION_CONFLICT: 5 })
    expect((await stateOf(id)).approval.preparedBy).toHaveLength(
      answers[0]?.body.approval?.preparedBy.length ?? 2,
    )
  })

  test('many creators at once get numbers of their own', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => paul().post('/contracts', newContract(partyId))),
    )
    expect(new Set(answers.map(({ body }) => body.number)).size).toBe(20)
  })

  test('nothing that must never be found is found afterwards (rule 15)', async () => {
    expect(await violationsIn(host.db)).toEqual([])
  })
})
