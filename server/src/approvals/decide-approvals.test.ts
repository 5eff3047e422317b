import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ChangeStory,
  changeIn,
  entriesOf,
  ITEM_KINDS,
  proposed,
  staff,
} from '../../test/change-stories.ts'
import type { Client, TestAnswer } from '../../test/client.ts'
import { contractIn, partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, newPerson } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests } from '../../test/table-digest.ts'
import { everyPermission } from '../../test/walk.ts'
import { sql } from '../storage/sql.ts'

interface Decision {
  readonly kind: 'CONTRACT' | 'CHANGE'
  readonly id: string
  readonly decision: 'APPROVE' | 'REJECT' | 'RETURN'
  readonly version: number
  readonly reason?: string
}
interface Case {
  readonly name: string
  readonly client: Client
  readonly decision: Decision
  /** Where the same is decided alone. */
  readonly path: string
}

const WITH_REASON = { reason: 'No.' }
const BULK = '/approvals/decisions'

describe.each(STORE_KINDS)('decideApprovals on %s', (store) => {
  let host: Host
  let partyId: string
  let count = 0
  beforeAll(async () => {
    host = await startHost({ store, poolSize: 8 })
    partyId = await createParty(staff(host, 'paul'))
  })
  afterAll(() => host.close())

  const decide = (client: Client, decisions: readonly object[], query = '') =>
    client.post(`${BULK}${query}`, { decisions })
  const ofContract = (id: string, decision: Decision['decision'] = 'APPROVE'): Decision => ({
    ...{ kind: 'CONTRACT', id, decision, version: 1 },
    ...(decision !== 'APPROVE' && WITH_REASON),
  })
  const ofChange = ({ id }: ChangeStory, decision: Decision['decision'] = 'APPROVE'): Decision => ({
    ...{ kind: 'CHANGE', id, decision, version: 1 },
    ...(decision !== 'APPROVE' && WITH_REASON),
  })
  const waiting = (more: object = {}) =>
    createContract(staff(host, 'paul'), newContract(partyId, { ...more }))
  const alone = ({ client, decision: { decision, version, reason: why }, path }: Case) =>
    client.post(
      `${path}/${decision.toLowerCase()}?dryRun=true`,
      why === undefined ? undefined : decision === 'APPROVE' ? { comment: why } : { reason: why },
      { 'if-match': `"${version}"` },
    )

  async function refusals(): Promise<Case[]> {
    const contract = (name: string, client: Client, id: string, more: Partial<Decision> = {}) => ({
      ...{ name, client, path: `/contracts/${id}` },
      decision: { ...ofContract(id), ...more },
    })
    const change = (name: string, client: Client, story: ChangeStory, more: object = {}) => ({
      ...{ name, client, path: story.path, decision: { ...ofChange(story), ...more } },
    })
    const ana = staff(host, 'ana')
    const id = await waiting()
    const pending = await proposed(host, 'PARTY')
    const erasure = await proposed(host, 'ERASURE')
    await createContract(staff(host, 'paul'), newContract(erasure.itemId))
    return [
      contract('own', staff(host, 'paul'), id),
      contract('own, rejected', staff(host, 'paul'), id, { decision: 'REJECT', ...WITH_REASON }),
      contract('a machine', staff(host, 'service-account-x'), id),
      contract('unpermitted', host.as('ben', 'party:approve'), id),
      contract('a customer', host.as('c', { permissions: everyPermission, partyId }), id),
      contract('foreign', host.as('d', { permissions: everyPermission, partnerId: 'p' }), id),
      contract('unknown', ana, 'ctr_unknown'),
      contract('another version', ana, id, { version: 7 }),
      contract('decided', ana, await contractIn(host, 'APPROVED', { partyId }), { version: 2 }),
      contract('withdrawn', ana, await contractIn(host, 'WITHDRAWN', { partyId }), { version: 2 }),
      contract('a draft', ana, await contractIn(host, 'DRAFT', { partyId })),
      change('own change', staff(host, 'paul'), pending),
      change('unpermitted change', host.as('ben', 'contract:approve'), pending),
      change('another version of a change', ana, pending, { version: 2 }),
      change('decided change', ana, await changeIn(host, 'PARTNER', 'REJECTED'), { version: 2 }),
      change('withdrawn change', ana, await changeIn(host, 'AMENDMENT', 'WITHDRAWN'), {
        version: 2,
      }),
      change('left behind', ana, await changeIn(host, 'PARTY', 'MOVED')),
      change('not to be erased', ana, erasure),
    ]
  }

  test('each refusal is the very one of the single operation: status, code and sentence (platform 4)', async () => {
    const cases = await refusals()
    const seen = new Set<string>()
    for (const each of cases) {
      const single = await alone(each)
      const { body } = await succeeded(decide(each.client, [each.decision], '?dryRun=true'))
      const { kind, id } = each.decision
      expect(single.status, `${each.name} ${single.text}`).toBeGreaterThanOrEqual(400)
      expect(body.result.results, each.name).toEqual([
        { kind, id, status: single.status, code: single.code, detail: single.body.detail },
      ])
      seen.add(single.code as string)
    }
    expect([...seen].sort()).toEqual([
      ...['ALREADY_DECIDED', 'FOUR_EYES_SAME_USER', 'HUMAN_APPROVER_REQUIRED', 'INVALID_STATE'],
      ...['NOT_FOUND', 'PERMISSION_MISSING', 'RULE_VIOLATED', 'VERSION_CONFLICT'],
    ])
  })

  test('what only bulk decisions can get wrong: no reason, a returned change, an unknown one', async () => {
    const story = await proposed(host, 'PARTY')
    const id = await waiting()
    const { body } = await succeeded(
      decide(staff(host, 'ana'), [
        { ...ofContract(id), decision: 'REJECT' },
        { ...ofContract(id), decision: 'RETURN' },
        { ...ofChange(story), decision: 'REJECT' },
        ofChange(story, 'RETURN'),
        { ...ofChange(story), id: 'chg_unknown' },
      ]),
    )
    expect(body.results).toMatchObject([
      ...Array(3)
        .fill({ status: 400, code: 'VALIDATION_FAILED', detail: /need a reason/ })
        .map((each) => ({ ...each, detail: expect.stringMatching(each.detail) })),
      { status: 422, code: 'RULE_VIOLATED', detail: expect.stringMatching(/cannot be returned/) },
      { status: 404, code: 'NOT_FOUND', detail: 'There is no such change.' },
    ])
    const unpermitted = await decide(host.as('ben', 'contract:approve'), [
      ofChange(story, 'RETURN'),
    ])
    expect(unpermitted.body.results).toMatchObject([{ status: 403, code: 'PERMISSION_MISSING' }])
  })

  test('what is refused takes nothing else with it; results stand in the order asked (platform 4)', async () => {
    const stories = [
      await proposed(host, 'PARTNER'),
      await proposed(host, 'PARTY'),
      await proposed(host, 'AMENDMENT'),
    ]
    const [good, stale, returned] = [await waiting(), await waiting(), await waiting()]
    const decisions = [
      ofChange(stories[0] as ChangeStory),
      { ...ofContract(stale), version: 5 },
      ofContract(good),
      ofChange(stories[1] as ChangeStory, 'REJECT'),
      ofContract(good),
      ofContract(returned, 'RETURN'),
      ofContract('ctr_unknown'),
      { ...ofChange(stories[2] as ChangeStory), reason: 'Fine.' },
    ]
    const { body } = await succeeded(decide(staff(host, 'ana'), decisions))
    expect(
      body.results.map(({ id, status }: { id: string; status: number }) => [id, status]),
    ).toEqual([
      ...[
        [stories[0]?.id, 200],
        [stale, 412],
        [good, 200],
        [stories[1]?.id, 200],
      ],
      ...[
        [good, 409],
        [returned, 200],
        ['ctr_unknown', 404],
        [stories[2]?.id, 200],
      ],
    ])
    const ana = staff(host, 'ana')
    for (const [id, state] of [
      [good, 'APPROVED'],
      [stale, 'PENDING_APPROVAL'],
      [returned, 'DRAFT'],
    ])
      expect((await ana.get(`/contracts/${id}`)).body.state).toBe(state)
    const amended = await ana.get((stories[2] as ChangeStory).itemPath)
    expect(amended.body.terms.termMonths).toBe(60)
    const decided = await ana.get((stories[2] as ChangeStory).path)
    expect(decided.body.approval.decisions).toMatchObject([
      { decision: 'APPROVED', versionStated: true, comment: 'Fine.' },
    ])
  })

  test('an entry for each decided item, one for each refusal of note, none for the whole (platform 9)', async () => {
    const story = await proposed(host, 'PARTY')
    const [id, own] = [
      await waiting(),
      await createContract(staff(host, 'ana'), newContract(partyId)),
    ]
    const since = await lastOrdinal()
    await succeeded(
      decide(staff(host, 'ana'), [
        ofContract(id),
        ofChange(story),
        ofContract(own),
        { ...ofContract(id), version: 9 },
        ofContract('ctr_unknown'),
      ]),
    )
    const rows = await entriesSince(since)
    expect(rows.sort()).toEqual(
      [
        ...[`contract.approved DONE ${id}`, `change.approved DONE ${story.id}`],
        ...[`party.changed DONE ${story.itemId}`, `approveContract FOUR_EYES_SAME_USER ${own}`],
        'approveContract NOT_FOUND ctr_unknown',
      ].sort(),
    )
    const history = await succeeded(staff(host, 'rita').get(`/contracts/${own}/history`))
    expect(history.body.items.at(-1)).toMatchObject({ event: 'REFUSED', by: { username: 'ana' } })
  })

  const lastOrdinal = () =>
    host.db.read({ rows: 'ALL', subject: 'test' }, async (read) => {
      const { n } = await read.one<{ n: number }>(sql`select max(ordinal) as n from audit_entry`)
      return n
    })
  const entriesSince = (ordinal: number) =>
    host.db.read({ rows: 'ALL', subject: 'test' }, async (read) => {
      const rows = await read.rows<{ line: string }>(sql`
        select action || ' ' || coalesce(code, outcome) || ' ' || coalesce(item_id, '') as line
          from audit_entry where ordinal > ${ordinal}`)
      return rows.map(({ line }) => line)
    })

  test('a preflight tells the same results and stores not a byte, no refusal either (platform 4)', async () => {
    const [id, own] = [
      await waiting(),
      await createContract(staff(host, 'ana'), newContract(partyId)),
    ]
    const story = await proposed(host, 'TERMINATION')
    const decisions = [ofContract(id), ofContract(own), ofChange(story), ofContract('ctr_unknown')]
    const since = await lastOrdinal()
    const before = await tableDigests(host.store)
    const dry = await succeeded(decide(staff(host, 'ana'), decisions, '?dryRun=true'))
    expect(dry.body).toMatchObject({ dryRun: true, diff: [], warnings: [] })
    expect(await tableDigests(host.store)).toEqual(before)
    expect(await entriesSince(since)).toEqual([])
    const done = await succeeded(decide(staff(host, 'ana'), decisions))
    expect(done.body.results).toEqual(dry.body.result.results)
  })

  test('once for one Idempotency-Key; 422 for another list under it (platform 8)', async () => {
    const key = { 'idempotency-key': `bulk-${store}` }
    const decisions = [ofContract(await waiting())]
    const send = (list: object[]) => staff(host, 'ana').post(BULK, { decisions: list }, key)
    const first = await succeeded(send(decisions))
    const again = await succeeded(send(decisions))
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await send([ofContract(await waiting())])).toMatchObject({
      ...{ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' },
    })
  })

  test('400 for none, more than 100, and fields that do not exist (rule 17)', async () => {
    const ana = staff(host, 'ana')
    const many = (length: number) => Array.from({ length }, () => ofContract('ctr_unknown'))
    expect((await decide(ana, many(100), '?dryRun=true')).body.result.results).toHaveLength(100)
    for (const [length, code] of [
      [0, 'TOO_FEW'],
      [101, 'TOO_MANY'],
    ] as const)
      expectFaults(await decide(ana, many(length)), [{ pointer: '/decisions', code, detail: /./ }])
    const one = ofContract('ctr_unknown')
    for (const [wrong, name, code] of [
      [{ kind: 'REPORT' }, 'kind', 'NOT_ALLOWED'],
      [{ decision: 'WITHDRAW' }, 'decision', 'NOT_ALLOWED'],
      [{ version: 0 }, 'version', 'TOO_SMALL'],
      [{ version: '1' }, 'version', 'WRONG_TYPE'],
      [{ version: undefined }, 'version', 'REQUIRED'],
      [{ reason: ' ' }, 'reason', 'WRONG_FORMAT'],
      [{ state: 'APPROVED' }, 'state', 'UNKNOWN_FIELD'],
    ] as const)
      expectFaults(await decide(ana, [{ ...one, ...wrong }]), [
        { pointer: `/decisions/0/${name}`, code, detail: /./ },
      ])
  })

  test('scoped callers decide their own alone; 403 without any permission to approve (platform 3)', async () => {
    const partnerId = await partnerNamed(host.db, `BULK-${++count}`)
    const [own, foreign] = [await waiting({ partnerId }), await waiting()]
    const party = await createParty(
      host.as('dora', { permissions: everyPermission, partnerId }),
      newPerson('Bulk'),
    )
    const story = await proposed(host, 'PARTY', staff(host, 'paul'), { partyId: party })
    const hidden = await proposed(host, 'PARTNER')
    const dealer = host.as('dev', { permissions: everyPermission, partnerId })
    const { body } = await succeeded(
      decide(dealer, [ofContract(own), ofContract(foreign), ofChange(story), ofChange(hidden)]),
    )
    expect(body.results).toMatchObject([
      ...[{ status: 200 }, { status: 404 }, { status: 200 }, { status: 404 }],
    ])
    const none = everyPermission.filter((code) => !code.endsWith(':approve'))
    const refused = await decide(host.as('eva', ...none), [ofContract(own)])
    expect(refused).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
  })

  test('two who decide the same things crosswise at once: each is decided once, nobody fails (rule 15)', async () => {
    const stories = [await proposed(host, 'PARTY'), await proposed(host, 'AMENDMENT')]
    const decisions = [
      ofContract(await waiting()),
      ...stories.map((story) => ofChange(story)),
      ofContract(await waiting()),
    ]
    const answers: TestAnswer[] = await Promise.all([
      decide(staff(host, 'ana'), decisions),
      decide(staff(host, 'ben'), [...decisions].reverse()),
      decide(staff(host, 'cem'), decisions),
    ])
    const results = answers.flatMap(({ body, text }) => body.results ?? [text])
    for (const { id } of decisions) {
      const told = results.filter((each) => each.id === id).map(({ status }) => status)
      expect(told.sort(), id).toEqual([200, 409, 409])
    }
    for (const { id, kind } of stories) {
      const done = (await entriesOf(host.db, id)).filter(({ outcome }) => outcome === 'DONE')
      expect(
        done.map(({ action }) => action),
        ITEM_KINDS[kind],
      ).toEqual([...['change.proposed', 'change.approved']])
    }
  })
})
