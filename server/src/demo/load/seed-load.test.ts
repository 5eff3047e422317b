import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partnerNamed } from '../../../test/contract-stories.ts'
import { type Host, startHost } from '../../../test/host.ts'
import { eachStore, openStore, STORE_KINDS, type TestStore } from '../../../test/stores.ts'
import { tableDigests } from '../../../test/table-digest.ts'
import { contractsByIds, prepareContent } from '../../contracts/index.ts'
import { contentOf } from '../../contracts/stored-contract.ts'
import { type Statement, sql } from '../../storage/sql.ts'
import { seedDemo } from '../seed-demo.ts'
import { loadPreparers } from './load-people.ts'
import { DEFAULT_AS_OF, type LoadPlan } from './load-plan.ts'
import { BATCH_CONTRACTS, seedLoad } from './seed-load.ts'

const PLAN: LoadPlan = { contracts: BATCH_CONTRACTS + 300, seed: 7, asOf: DEFAULT_AS_OF }
const SMALL: LoadPlan = { ...PLAN, contracts: 200 }

function rows<Row>(store: TestStore, statement: Statement): Promise<Row[]> {
  return store.db.read({ rows: 'ALL' }, (read) => read.rows<Row>(statement))
}

/** All that the plan decides; when it was brought in is another matter. */
async function loadedDigest(store: TestStore): Promise<unknown> {
  const digest = (text: Statement, from: Statement): Statement => sql`
    (select count(*) || ' ' || md5(string_agg(${text}, '|' order by ${text})) from ${from})`
  const [found] = await rows(
    store,
    sql`select ${digest(sql`(to_jsonb(t) - 'updated_at')::text`, sql`partner t`)} as partner,
               ${digest(sql`t::text`, sql`party t`)} as party,
               ${digest(sql`t::text`, sql`contract t`)} as contract,
               ${digest(sql`t::text`, sql`contract_version t`)} as version,
               ${digest(sql`(to_jsonb(t) - 'decided_xid')::text`, sql`change t`)} as change,
               ${digest(sql`id || action || item_id || item_version`, sql`audit_entry t`)} as entry,
               ${digest(sql`id || type || item_id || item_version`, sql`event t`)} as event`,
  )
  return found
}

const digests: unknown[] = []

eachStore((store) => {
  describe('`tfs seed --contracts`', () => {
    test('ends after a batch when asked to and goes on from there, without duplicates', async () => {
      const stop = new AbortController()
      const first = await seedLoad(store.rights, PLAN, {
        signal: stop.signal,
        onProgress: ({ done }) => done > 0 && stop.abort(),
      })
      expect(first).toEqual({ began: 0, done: BATCH_CONTRACTS, contracts: PLAN.contracts })
      const rest = await seedLoad(store.rights, PLAN)
      expect(rest).toEqual({
        began: BATCH_CONTRACTS,
        done: PLAN.contracts,
        contracts: PLAN.contracts,
      })
      const [found] = await rows(
        store,
        sql`select count(*)::integer as contracts, count(distinct number)::integer as numbers,
                   (select count(*)::integer from party) as parties,
                   (select count(*)::integer from partner) as partners from contract`,
      )
      const { contracts } = PLAN
      expect(found).toEqual({ contracts, numbers: contracts, parties: contracts / 3, partners: 7 })
      digests.push(await loadedDigest(store))
    })

    test('a third time changes nothing', async () => {
      const before = await tableDigests(store)
      await seedLoad(store.rights, PLAN)
      expect(await tableDigests(store)).toEqual(before)
    })

    test('another plan is refused in one sentence', async () => {
      const other = seedLoad(store.rights, { ...PLAN, seed: 8 })
      await expect(other).rejects.toThrow(/has the load data of --contracts 1800 --seed 7 --as-of/)
    })

    test('nobody decided or activated what the same person prepared', async () => {
      const broken = await rows(
        store,
        sql`select id from contract where decider && preparers or activator && preparers
            union all select id from change where decider && preparers
            union all select c.id from contract c, jsonb_array_elements(c.decisions) d
             where c.prepared_by @> jsonb_build_array(jsonb_build_object('id', d #>> '{by,id}'))`,
      )
      expect(broken).toEqual([])
    })

    test('every state was reached version by version along the table of moves', async () => {
      const [found] = await rows(
        store,
        sql`with versions as (select contract_id, version, snapshot ->> 'state' as state,
                                     snapshot, at from contract_version)
            select (select count(*)::integer from versions v
                      left join versions b on b.contract_id = v.contract_id
                                          and b.version = v.version - 1
                     where case when v.version = 1
                                then v.state not in ('DRAFT', 'PENDING_APPROVAL')
                                else not exists (select from contract_move m
                                                  where m.from_state = b.state
                                                    and m.to_state = v.state) end) as "illegalMoves",
                   (select count(*)::integer from versions v
                      join versions b on b.contract_id = v.contract_id and b.version = v.version - 1
                     where v.at <= b.at) as "backwards",
                   (select count(*)::integer from contract c
                      left join versions v on v.contract_id = c.id and v.version = c.version
                     where to_jsonb(jsonb_populate_record(null::contract, v.snapshot))
                           is distinct from to_jsonb(c)) as "otherThanLastVersion",
                   (select count(*)::integer from versions where at >= ${PLAN.asOf}::date) as "late"`,
      )
      expect(found).toEqual({ illegalMoves: 0, backwards: 0, otherThanLastVersion: 0, late: 0 })
    })

    test('decisions are about the version before, endings have their approved change', async () => {
      const broken = await rows(
        store,
        sql`select contract_id as id from contract_version
             where snapshot ->> 'state' in ('APPROVED', 'REJECTED')
               and (snapshot -> 'decisions' -> -1 ->> 'version')::integer <> version - 1
            union all
            select c.id from contract c left join change h on h.id = c.change_id
             where (c.state in ('SETTLED', 'TERMINATED'))
                   <> coalesce(h.state = 'APPROVED' and h.item_id = c.id
                               and h.base_version = c.version - 1
                               and h.proposal ->> 'effectiveDate' = c.effective_date::text, false)
            union all
            select id from contract
             where not ('sub:tfs:load#' || (created_by ->> 'username') = any (preparers))`,
      )
      expect(broken).toEqual([])
    })

    test('all states, types, partners and three years are there', async () => {
      const [found] = await rows<Record<string, number>>(
        store,
        sql`select count(distinct state)::integer as states, count(distinct type)::integer as types,
                   count(distinct partner_id)::integer as partners,
                   count(distinct to_char(created_at, 'YYYY-MM'))::integer as months,
                   count(distinct created_by)::integer as preparers,
                   (select count(*)::integer from change where state = 'PENDING') as pending,
                   count(*) filter (where state = 'ACTIVE')::integer as active from contract`,
      )
      expect(found).toMatchObject({ states: 8, types: 4, partners: 7, months: 36 })
      expect(found?.['preparers']).toBe(loadPreparers.length)
      expect(found?.['pending']).toBeGreaterThan(0)
      expect(found?.['active']).toBeGreaterThan(PLAN.contracts / 2)
    })

    test('contents and hashes are what the platform itself makes of them', async () => {
      await store.db.write({ rows: 'ALL' }, async (tx) => {
        const ids = await tx.rows<{ id: string }>(sql`
          select id from contract where partner_id not in (select id from partner where state = 'SUSPENDED')
                                     or partner_id is null order by id limit 40`)
        const stored = await contractsByIds(
          tx,
          ids.map(({ id }) => id),
        )
        expect(stored).toHaveLength(40)
        for (const contract of stored) {
          const prepared = await prepareContent(tx, contentOf(contract))
          expect(prepared.contentHash, contract.number).toBe(contract.contentHash)
          expect(prepared.plan).toEqual(contract.plan)
          expect(prepared.content.terms).toEqual(contract.terms)
        }
      })
    })

    test('each row has one entry and one event that say what really happened', async () => {
      const found = await rows(
        store,
        sql`select e.action, e.username, e.mode, count(*)::integer as entries,
                   count(o.id)::integer as events
              from audit_entry e
              left join event o on o.type = e.action and o.item_id = e.item_id
             where e.at > clock_timestamp() - interval '1 hour' group by 1, 2, 3 order by 1`,
      )
      const { contracts } = PLAN
      const by = { username: 'tfs-seed', mode: 'system' }
      expect(found).toEqual([
        { action: 'contract.loaded', ...by, entries: contracts, events: contracts },
        { action: 'partner.loaded', ...by, entries: 7, events: 7 },
        { action: 'party.loaded', ...by, entries: contracts / 3, events: contracts / 3 },
      ])
    })

    test('all guards are in force again', async () => {
      const off = await rows(
        store,
        sql`select t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
             where c.relnamespace = ${store.schema}::regnamespace and t.tgenabled <> 'O'`,
      )
      expect(off).toEqual([])
    })
  })
})

describe('the same plan', () => {
  test('gives the same rows in both stores', () => {
    expect(digests).toHaveLength(STORE_KINDS.length)
    expect(digests[1]).toEqual(digests[0])
  })

  test('another seed gives others', async () => {
    const [one, two] = [await openStore('postgres'), await openStore('postgres')]
    await seedLoad(one.rights, SMALL)
    await seedLoad(two.rights, { ...SMALL, seed: 8 })
    expect(await loadedDigest(one)).not.toEqual(await loadedDigest(two))
    await one.close()
    await two.close()
  })
})

describe.each(STORE_KINDS)('a database that people work in, on %s', (kind) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store: kind })
  })
  afterAll(() => host.close())

  test('the demo story is no obstacle, somebody’s work is, unless it is forced', async () => {
    const { rights: owner } = host.store
    expect(await seedDemo(host.db, 'developer', '2026-11-02', { owner })).toBe('TOLD')
    const body = { type: 'PERSON', person: { firstName: 'Real', lastName: 'Customer' } }
    expect((await host.as('paul', 'party:create').post('/parties', body)).status).toBe(201)
    const before = await tableDigests(host.store)
    await expect(seedLoad(owner, SMALL)).rejects.toThrow(/People have worked in this database/)
    expect(await tableDigests(host.store)).toEqual(before)
    expect(await seedLoad(owner, SMALL, { force: true })).toMatchObject({ done: SMALL.contracts })
  })

  test('409 FOUR_EYES_SAME_USER for the preparer of a loaded contract, 200 for another', async () => {
    const ana = host.as('ana', 'contract:read', 'contract:approve')
    const waiting = await ana.get('/contracts?state=PENDING_APPROVAL&q=LOAD-7&limit=1')
    const [{ id, createdBy }] = waiting.body.items
    const path = `/contracts/${id}`
    expect(
      await host.as(createdBy.username, 'contract:approve').post(`${path}/approve`),
    ).toMatchObject({ status: 409, code: 'FOUR_EYES_SAME_USER' })
    expect((await ana.post(`${path}/approve`)).body).toMatchObject({ state: 'APPROVED' })
    const history = await ana.get(`${path}/history`)
    expect(history.body.items.at(-1)).toMatchObject({ event: 'APPROVED', by: { username: 'ana' } })
    expect((await ana.get(`${path}?version=1`)).body.version).toBe(1)
  })

  test('new contracts still get their own numbers', async () => {
    const partnerId = await partnerNamed(host.db, 'AFTER-LOAD')
    const [party] = await rows<{ id: string }>(host.store, sql`select id from party limit 1`)
    const terms = {
      financedAmount: { amount: '1000.00', currency: 'EUR' },
      ...{ nominalRate: '1', termMonths: 12, firstDueDate: '2027-01-31' },
    }
    const body = { type: 'LOAN', partyId: party?.id, partnerId, terms }
    const created = await host.as('paul', 'contract:create').post('/contracts', body)
    expect(created.body.number).toMatch(/^\d{4}-0000\d\d$/)
  })
})
