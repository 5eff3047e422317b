import { beforeAll, describe, expect, test } from 'vitest'
import { partnerNamed } from '../../test/contract-stories.ts'
import { eachStore, openStore, type TestStore } from '../../test/stores.ts'
import { tableDigests, withoutPolicies } from '../../test/table-digest.ts'
import { isPermitted } from '../access/permissions.ts'
import { IDENTITY_ONLY } from '../http/route.ts'
import { validatorOf } from '../http/validate.ts'
import { DEMO_USERS } from '../identity/demo-users.ts'
import { type Statement, sql } from '../storage/sql.ts'
import { allRoutes, permissionCatalogue } from '../surfaces.ts'
import { dayOfInstant } from './days.ts'
import { DEMO_IDS, STORY_PEOPLE, type StoryPerson } from './people.ts'
import { seedDemo, waitingContractOf } from './seed-demo.ts'
import { STORY, storyLives } from './story.ts'
import { bodyOf } from './tell-story.ts'

const TODAY = dayOfInstant(Date.now())
const DAY_MS = 86_400_000

function rows<Row>(store: TestStore, statement: Statement): Promise<Row[]> {
  return store.db.read({ rows: 'ALL' }, (read) => read.rows<Row>(statement))
}

eachStore((store) => {
  describe('`tfs seed --demo` as the owner', () => {
    beforeAll(async () => {
      const told = await seedDemo(store.db, 'developer', TODAY, { owner: store.rights })
      expect(told).toBe('TOLD')
    })

    test('every state of a contract is there, 40 in all', async () => {
      const found = await rows<{ state: string; count: number }>(
        store,
        sql`select state, count(*)::integer as count from contract group by state order by state`,
      )
      expect(Object.fromEntries(found.map(({ state, count }) => [state, count]))).toEqual({
        ...{ DRAFT: 4, PENDING_APPROVAL: 8, APPROVED: 5, ACTIVE: 13 },
        ...{ SETTLED: 2, TERMINATED: 2, REJECTED: 3, WITHDRAWN: 3 },
      })
    })

    test('parties, partners and what waits about them', async () => {
      const [found] = await rows(
        store,
        sql`select (select count(*)::integer from party) as parties,
                   (select count(*)::integer from party where state = 'BLOCKED') as blocked,
                   (select count(*)::integer from partner) as partners,
                   (select count(*)::integer from partner where state = 'SUSPENDED') as suspended,
                   (select count(*)::integer from request where state = 'OPEN') as wishes,
                   (select array_agg(kind order by kind) from change where state = 'PENDING') as pending,
                   (select array_agg(distinct kind order by kind) from change
                     where state = 'APPROVED') as approved`,
      )
      expect(found).toEqual({
        ...{ parties: 12, blocked: 1, partners: 3, suspended: 1, wishes: 1 },
        pending: ['AMENDMENT', 'PARTY', 'TERMINATION'],
        approved: ['AMENDMENT', 'PARTNER', 'PARTY', 'SETTLEMENT', 'TERMINATION'],
      })
    })

    test('one item waits that chief prepared, one was returned to preparer and one to dealer', async () => {
      const id = await waitingContractOf(store.db, 'chief')
      const [own] = await rows(
        store,
        sql`select external_ref, state from contract where id = ${id}`,
      )
      expect(own).toEqual({ external_ref: 'CHIEF-1', state: 'PENDING_APPROVAL' })
      const returned = await rows<{ by: string }>(
        store,
        sql`select created_by ->> 'username' as by from contract
             where state = 'DRAFT' and decisions -> -1 ->> 'decision' = 'RETURNED' order by 1`,
      )
      expect(returned.map(({ by }) => by)).toEqual(['dealer', 'preparer'])
    })

    test('nobody decided, returned or activated what the same person prepared', async () => {
      const broken = await rows(
        store,
        sql`select id from contract where decider && preparers or activator && preparers
            union all select id from change where decider && preparers`,
      )
      expect(broken).toEqual([])
    })

    test('the dealer’s deals are the dealer’s, and nobody else’s', async () => {
      const scope = { rows: 'ROWS', partnerId: DEMO_IDS.dealer } as const
      const seen = await store.db.read(scope, (read) =>
        read.rows<{ partner_id: string }>(sql`select partner_id from contract`),
      )
      expect(seen.length).toBeGreaterThan(5)
      expect(new Set(seen.map(({ partner_id }) => partner_id))).toEqual(new Set([DEMO_IDS.dealer]))
    })

    test('instants spread over four weeks of working days, none of them is left at today', async () => {
      const found = await rows<{ first: string; last: string; days: number; weekends: number }>(
        store,
        sql`select min(at) as first, max(at) as last, count(distinct at::date)::integer as days,
                   count(*) filter (where extract(isodow from at) > 5)::integer as weekends
              from (${allInstants}) told`,
      )
      const [{ first, last, days, weekends }] = found as [(typeof found)[number]]
      expect(last < TODAY).toBe(true)
      expect(Date.parse(TODAY) - Date.parse(first)).toBeLessThan(31 * DAY_MS)
      expect({ days, weekends }).toEqual({ days: 20, weekends: 0 })
    })

    test('no table, whichever it is, still tells of today', async () => {
      expect(await tablesTellingOf(store, TODAY)).toEqual([])
    })

    test('each contract is what its last version says, and its story runs forward', async () => {
      const broken = await rows(
        store,
        sql`select c.number from contract c
              join contract_version v on v.contract_id = c.id and v.version = c.version
             where v.snapshot <> to_jsonb(c)
            union all
            select v.contract_id from contract_version v
              join contract_version w on w.contract_id = v.contract_id and w.version = v.version + 1
             where w.at <= v.at
            union all
            select c.number from contract c
             where c.submitted_at < c.created_at - interval '1 second' or c.activated_at <= c.submitted_at
                or (c.decider is not null
                    and (c.decisions -> -1 ->> 'at')::timestamptz <= c.submitted_at)`,
      )
      expect(broken).toEqual([])
    })

    test('every version has its audit entry and its event at its own instant, marked as told', async () => {
      const [found] = await rows<{
        versions: number
        entries: number
        events: number
        modes: string[]
      }>(
        store,
        sql`select count(*)::integer as versions,
                   count(e.id)::integer as entries, count(o.id)::integer as events,
                   array_agg(distinct e.mode) as modes
              from contract_version v
              left join audit_entry e on e.item_id = v.contract_id and e.item_version = v.version
                                     and e.at - v.at between interval '0' and interval '10 minutes'
              left join event o on o.item_id = v.contract_id and o.item_version = v.version
                               and o.request_id = e.request_id and o.at::date = e.at::date`,
      )
      const { versions, entries, events, modes } = found as NonNullable<typeof found>
      expect({ entries, events }).toEqual({ entries: versions, events: versions })
      expect(modes).toEqual(['system'])
    })

    test('every entry and event is about an item of the kind that its name says', async () => {
      const kinds = await rows<{ kind: string }>(
        store,
        sql`select distinct item_kind as kind from audit_entry
             where split_part(action, '.', 1) = item_kind
            union select item_kind from event order by kind`,
      )
      expect(kinds.map(({ kind }) => kind)).toEqual([
        ...['change', 'contract', 'note', 'partner', 'party', 'request'],
      ])
    })

    test('all guards and policies are in force again', async () => {
      const off = await rows(
        store,
        sql`select t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
             where c.relnamespace = ${store.schema}::regnamespace and t.tgenabled <> 'O'
            union all
            select relname from pg_class
             where relnamespace = ${store.schema}::regnamespace and relrowsecurity
               and not relforcerowsecurity`,
      )
      expect(off).toEqual([])
    })

    test('a second time changes nothing', async () => {
      const before = await tableDigests(store)
      for (const options of [{ owner: store.rights }, {}, { owner: store.rights, force: true }]) {
        expect(await seedDemo(store.db, 'developer', TODAY, options)).toBe('KNOWN')
      }
      expect(await tableDigests(store)).toEqual(before)
    })
  })
})

/** Whatever the story leaves behind. */
const allInstants = sql`
  select created_at as at from partner union all select updated_at from partner
  union all select created_at from party union all select updated_at from party
  union all select created_at from request union all select updated_at from request
  union all select created_at from change union all select updated_at from change
  union all select created_at from contract union all select updated_at from contract
  union all select submitted_at from contract union all select activated_at from contract
  union all select at from contract_version union all select written_at from contract_note
  union all select at from audit_entry union all select at from event
  union all select (e ->> 'at')::timestamptz
    from contract_version, jsonb_array_elements(snapshot -> 'decisions') e
  union all select (e ->> 'at')::timestamptz from contract, jsonb_array_elements(prepared_by) e
  union all select (e ->> 'at')::timestamptz from change, jsonb_array_elements(decisions) e`

/** Instants in columns and in JSON alike; a bare day may be a due date. */
async function tablesTellingOf(store: TestStore, day: string): Promise<string[]> {
  return withoutPolicies(store, async (session) => {
    const { rows: tables } = await session.query(
      `select table_name as name from information_schema.tables
        where table_schema = $1 and table_type = 'BASE TABLE' and table_name <> 'schema_migration'`,
      [store.schema],
    )
    const telling: string[] = []
    for (const { name } of tables as { name: string }[]) {
      const { rows } = await session.query(
        `select 1 from ${store.schema}.${name} t where t::text ~ $1 limit 1`,
        [`${day}[T ][0-9]`],
      )
      if (rows.length > 0) telling.push(name)
    }
    return telling
  })
}

describe.each(['embedded', 'postgres'] as const)('where the story is not spread, on %s', (kind) => {
  test('without the owner it is told as of today, by the application’s own role', async () => {
    const store = await openStore(kind)
    expect(await seedDemo(store.db, 'token', TODAY)).toBe('TOLD_TODAY')
    const [found] = await rows(
      store,
      sql`select min(at) > clock_timestamp() - interval '10 minutes' as today from (${allInstants}) told`,
    )
    expect(found).toEqual({ today: true })
    await store.close()
  })

  test('a database with data of its own is left alone, and told as of today when asked', async () => {
    const store = await openStore(kind)
    await partnerNamed(store.db, 'OTHER')
    const before = await tableDigests(store)
    const { db, rights: owner } = store
    expect(await seedDemo(db, 'developer', TODAY, { owner })).toBe('OTHER_DATA')
    expect(await tableDigests(store)).toEqual(before)
    expect(await seedDemo(db, 'developer', TODAY, { owner, force: true })).toBe('TOLD_TODAY')
    await store.close()
  })
})

describe('the story itself', () => {
  const routes = new Map(allRoutes.map((route) => [route.id, route]))
  const operations = STORY.filter(
    ({ deed }) => deed.does !== 'enterParty' && deed.does !== 'enterPartner',
  )

  test('says nothing that the API would not take', () => {
    for (const { deed } of operations) {
      const schema = routes.get(deed.does)?.body
      const body = bodyOf(deed, '2026-10-20')
      if (schema && body !== undefined) validatorOf(schema, '')(body)
      else expect(body, deed.does).toBeUndefined()
    }
  })

  test('everyone does only what the demo user of that kind may do', () => {
    const permissionsOf = (person: StoryPerson): ReadonlySet<string> => {
      const user = DEMO_USERS.find(({ username }) => username === STORY_PEOPLE[person])
      const { permissions } = user as (typeof DEMO_USERS)[number]
      return new Set(
        typeof permissions === 'function'
          ? Object.keys(permissionCatalogue).filter(permissions)
          : permissions,
      )
    }
    for (const { when, deed } of operations) {
      const permission = routes.get(deed.does)?.permission
      if (permission === undefined || permission === IDENTITY_ONLY) throw new Error(deed.does)
      const [, , person] = when
      expect(isPermitted(permissionsOf(person), permission), `${person}: ${deed.does}`).toBe(true)
    }
  })

  test('no two scenes share an instant, and keys name one contract each', () => {
    const instants = STORY.map(({ when: [day, at] }) => `${day} ${at}`)
    expect(new Set(instants).size).toBe(instants.length)
    expect(new Set(storyLives.map(({ key }) => key)).size).toBe(storyLives.length)
  })
})
