import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { Caller } from '../src/access/caller.ts'
import { insertContract, prepareContent } from '../src/contracts/index.ts'
import { insertParty } from '../src/parties/index.ts'
import { recordAudit } from '../src/storage/audit.ts'
import { connect } from '../src/storage/connection.ts'
import { SqlFault } from '../src/storage/failures.ts'
import { keepAnswer } from '../src/storage/idempotency.ts'
import { recordEvent } from '../src/storage/outbox.ts'
import type { Scope } from '../src/storage/scope.ts'
import { Statement, sql } from '../src/storage/sql.ts'
import type { Tx } from '../src/storage/tx.ts'
import { developer, keysOf, partnerNamed, refOf } from '../test/contract-stories.ts'
import { newPerson } from '../test/samples.ts'
import { eachStore, type TestStore } from '../test/stores.ts'

/** Tables that hold no business row and nothing of a caller, so that there is nothing to hide. */
const WITHOUT_POLICIES = {
  schema_migration: 'which migrations were applied',
  deployment: 'facts of the deployment, such as its mode',
  contract_move: 'the moves that exist, the same for everyone',
  sequencer_position: 'how far entries and events are numbered: names and counters alone',
} as const

interface Deal {
  readonly id: string
  readonly party: string
  readonly partner: string | undefined
}

interface World {
  readonly partners: readonly [string, string, string]
  /** By name: whose staff created it. */
  readonly parties: Readonly<Record<'ofFirst' | 'ofSecond' | 'ofHouse' | 'idle', string>>
  readonly deals: readonly Deal[]
}

const staff = (username: string, partnerId?: string): Caller => ({
  ...developer(username),
  human: true,
  permissions: new Set(),
  mode: 'developer',
  ...(partnerId !== undefined && { partnerId }),
})

const acting = <T>(store: TestStore, caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> =>
  store.db.write({ rows: 'ALL', subject: caller.subject }, work)

async function newWorld(store: TestStore): Promise<World> {
  const [first, second, idle] = [
    await partnerNamed(store.db, 'A'),
    await partnerNamed(store.db, 'B'),
    await partnerNamed(store.db, 'C'),
  ]
  const party = (by: Caller) =>
    acting(store, by, async (tx) => (await insertParty(tx, newPerson() as never, by)).id)
  const parties = {
    ofFirst: await party(staff('alba', first)),
    ofSecond: await party(staff('bert', second)),
    ofHouse: await party(staff('paul')),
    idle: await party(staff('paul')),
  }
  const deals: Deal[] = []
  for (const [partyId, partner] of [
    [parties.ofFirst, first],
    [parties.ofFirst, second],
    [parties.ofSecond, second],
    [parties.ofHouse, first],
    [parties.ofHouse, undefined],
    [parties.ofHouse, undefined],
  ] as const) {
    deals.push({ id: await newDeal(store, partyId, partner), party: partyId, partner })
  }
  return { partners: [first, second, idle], parties, deals }
}

async function newDeal(store: TestStore, partyId: string, partner: string | undefined) {
  const paul = staff('paul')
  return acting(store, paul, async (tx) => {
    const prepared = await prepareContent(tx, {
      type: 'LOAN',
      partyId,
      ...(partner !== undefined && { partnerId: partner }),
      terms: {
        financedAmount: { amount: '100', currency: 'EUR' },
        nominalRate: '1',
        termMonths: 12,
        firstDueDate: '2027-01-31',
      },
    })
    const { id } = await insertContract(tx, {
      prepared,
      caller: paul,
      submitted: true,
      year: '2026',
    })
    await recordTraces(tx, id, partyId)
    await tx.run(sql`
      insert into change (id, kind, item_kind, item_id, base_version, reason, proposal, diff, content_hash,
                          party_id, partner_id, preparers, prepared_by, created_by, updated_by)
      values (${`chg_${id}`}, 'AMENDMENT', 'contract', ${id}, 1, 'x', '{}', '[]', 'x', ${partyId},
              ${partner ?? null}, ${keysOf(paul)}::text[], ${[refOf(paul)]}::jsonb,
              ${refOf(paul)}::jsonb, ${refOf(paul)}::jsonb)`)
    return id
  })
}

async function recordTraces(tx: Tx, id: string, partyId: string): Promise<void> {
  const { subject, username } = staff('paul')
  const item = { kind: 'contract', id, version: 1 }
  await recordEvent(tx, { type: 'contract.submitted', item, requestId: 'r' })
  await recordAudit(
    tx,
    { subject, username, mode: 'developer', requestId: 'r' },
    {
      action: 'contract.submitted',
      item,
      diff: [{ pointer: '/name', before: null, after: 'Clara' }],
      personal: { partyId, pointers: ['/name'] },
    },
  )
  const answer = { requestHash: 'h', status: 200, headers: {}, body: '' }
  await keepAnswer(tx, { subject, method: 'POST', path: '/x', key: id }, answer)
}

/** By the rule of the platform contract, section 3, told once more in another language. */
function seenBy({ rows, partyId, partnerId, subject }: Scope, world: World) {
  const { deals, parties, partners } = world
  const all = rows === 'ALL'
  const linked = rows === 'ROWS' && (partyId !== undefined || partnerId !== undefined)
  const contract = deals.filter(
    (deal) =>
      all ||
      (linked &&
        (partyId === undefined || deal.party === partyId) &&
        (partnerId === undefined || deal.partner === partnerId)),
  )
  const [first, second] = partners
  const creators = new Map([
    [parties.ofFirst, first],
    [parties.ofSecond, second],
  ])
  const party = Object.values(parties).filter(
    (id) =>
      all ||
      (linked &&
        (partyId === undefined || id === partyId) &&
        (partnerId === undefined ||
          creators.get(id) === partnerId ||
          deals.some((deal) => deal.party === id && deal.partner === partnerId))),
  )
  const partner = partners.filter(
    (id) =>
      all ||
      (linked &&
        (id === partnerId ||
          (partyId !== undefined && contract.some((deal) => deal.partner === id)))),
  )
  const traces = all ? deals.length : 0
  return {
    contract: contract.map(({ id }) => id).sort(),
    change: contract.map(({ id }) => `chg_${id}`).sort(),
    party: party.sort(),
    partner: [...partner].sort(),
    audit_entry: traces,
    audit_personal_value: traces,
    event: traces,
    idempotency: subject === 'dev:paul' ? deals.length : 0,
  }
}

type Seen = ReturnType<typeof seenBy>

/** Every row of every policed table, no WHERE. */
const EVERYTHING = sql`
  select (select coalesce(array_agg(id order by id), '{}') from contract) as contract,
         (select coalesce(array_agg(id order by id), '{}') from change) as change,
         (select coalesce(array_agg(id order by id), '{}') from party) as party,
         (select coalesce(array_agg(id order by id), '{}') from partner) as partner,
         (select count(*) from audit_entry) as audit_entry,
         (select count(*) from audit_personal_value) as audit_personal_value,
         (select count(*) from event) as event,
         (select count(*) from idempotency) as idempotency`

function contextsOf({ partners, parties }: World): Scope[] {
  const partyIds = [...Object.values(parties), 'pty_unknown', "' or true --", '%']
  const partnerIds = [...partners, 'ptn_unknown']
  return [
    { rows: 'ALL' },
    { rows: 'ALL', subject: 'dev:paul' },
    { rows: 'NONE' },
    { rows: 'NONE', partyId: parties.ofFirst, partnerId: partners[0], subject: 'dev:ana' },
    { rows: 'ROWS' },
    { rows: 'ROWS', subject: 'dev:paul' },
    ...partyIds.map((partyId): Scope => ({ rows: 'ROWS', partyId })),
    ...partnerIds.map((partnerId): Scope => ({ rows: 'ROWS', partnerId, subject: 'dev:alba' })),
    ...partyIds.flatMap((partyId) =>
      partnerIds.map((partnerId): Scope => ({ rows: 'ROWS', partyId, partnerId })),
    ),
  ]
}

/** As the application, on a connection that nothing has set a context on. */
async function withoutContext<T>(store: TestStore, statement: Statement): Promise<T> {
  if (store.kind === 'embedded') {
    return store.rights.use(async (session) => {
      await session.script(`set role "${store.appRole}"`)
      const answer = await session.query(statement.text, statement.values)
      await session.script('reset role')
      return answer.rows[0] as T
    })
  }
  const session = connect({
    url: inject('postgresTests').appUrl,
    schema: store.schema,
    applicationName: 'test',
    statementTimeoutMs: 5_000,
  })
  const { rows } = await session.query(statement.text, statement.values)
  await session.close()
  return rows[0] as T
}

function tablesOf(store: TestStore): Promise<{ name: string; policed: boolean }[]> {
  return store.db.read({ rows: 'NONE' }, (read) =>
    read.rows(sql`
      select c.relname::text as name, c.relrowsecurity and c.relforcerowsecurity as policed
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = ${store.schema} and c.relkind in ('r', 'p', 'm', 'v', 'f')
       order by c.relname`),
  )
}

eachStore((store) => {
  let world: World
  beforeAll(async () => {
    world = await newWorld(store)
  })

  test('only own rows of every table for each kind of context, without any WHERE (rule 16)', async () => {
    for (const scope of contextsOf(world)) {
      const seen = await store.db.read(scope, (read) => read.one<Seen>(EVERYTHING))
      expect(seen, JSON.stringify(scope)).toEqual(seenBy(scope, world))
    }
    for (const scope of contextsOf(world).slice(0, 12)) {
      const seen = await store.db.write(scope, (tx) => tx.one<Seen>(EVERYTHING))
      expect(seen, JSON.stringify(scope)).toEqual(seenBy(scope, world))
    }
  })

  test('no row of any table without a context (rule 16)', async () => {
    const nothing = seenBy({ rows: 'NONE' }, world)
    expect(await withoutContext(store, EVERYTHING)).toEqual(nothing)
  })

  test.runIf(store.kind === 'postgres')('not even for the owner (rule 16)', async () => {
    const { rows } = await store.rights.use((session) => session.query(EVERYTHING.text, []))
    expect(rows[0]).toEqual(seenBy({ rows: 'NONE' }, world))
  })

  test('row-level security is forced on every table but those that hold no business row (rule 16)', async () => {
    const tables = await tablesOf(store)
    const open = tables.filter(({ policed }) => !policed).map(({ name }) => name)
    expect(open).toEqual(Object.keys(WITHOUT_POLICIES).sort())
    expect(tables.length - open.length).toBeGreaterThanOrEqual(8)
    for (const { name } of tables.filter(({ policed }) => policed)) {
      const count = sql`select count(*) as n from ${new Statement(`"${name}"`, [])}`
      expect(await withoutContext(store, count), name).toEqual({ n: 0 })
    }
  })

  describe('writes outside the own rows are refused by the database alone (rule 16)', () => {
    const POLICY = '42501'
    const tried = (scope: Scope, statement: Statement) =>
      store.db
        .write(scope, async (tx) => {
          const count = await tx.run(statement)
          throw new Error(`affected ${count}`)
        })
        .catch((error: unknown) => (error instanceof SqlFault ? error.sqlState : String(error)))
    const partnerScope = (): Scope => ({
      rows: 'ROWS',
      partnerId: world.partners[0],
      subject: 'dev:paul',
    })
    const newParty = (partner: string | null) => sql`
      insert into party (id, type, person, display_name, name_folded, created_by_partner, preparers,
                         created_by, updated_by)
      values ('pty_new', 'PERSON', '{}', 'x', 'x', ${partner}, ${['sub:dev:paul']}::text[],
              ${refOf(developer('paul'))}::jsonb, ${refOf(developer('paul'))}::jsonb)`

    test('a contract of another is not there to be changed', async () => {
      const touch = sql`update contract set updated_at = now() where partner_id is distinct from ${world.partners[0]}`
      expect(await tried(partnerScope(), touch)).toBe('Error: affected 0')
      expect(await tried({ rows: 'NONE', subject: 'dev:paul' }, touch)).toBe('Error: affected 0')
    })

    test('an own contract cannot be given away, nor a new one to another', async () => {
      const copied = (change: string) => sql`
        insert into contract select (jsonb_populate_record(c, to_jsonb(c) || jsonb_build_object(
          'id', 'ctr_x', 'number', '2000-000001', 'submitted_at', now()) || ${new Statement(change, [])})).*
          from contract c limit 1`
      const foreign = `'{"partner_id": "${world.partners[1]}"}'`
      expect(await tried(partnerScope(), copied(`'{}'`))).toBe('Error: affected 1')
      expect(await tried(partnerScope(), copied(foreign))).toBe(POLICY)
      expect(await tried(partnerScope(), copied(`'{"partner_id": null}'`))).toBe(POLICY)
      const byParty: Scope = { rows: 'ROWS', partyId: world.parties.ofHouse, subject: 'dev:paul' }
      expect(await tried(byParty, copied(`'{"party_id": "${world.parties.idle}"}'`))).toBe(POLICY)
    })

    test('a party is created for the own partner, by a party never', async () => {
      expect(await tried(partnerScope(), newParty(world.partners[0]))).toBe('Error: affected 1')
      expect(await tried(partnerScope(), newParty(world.partners[1]))).toBe(POLICY)
      expect(await tried(partnerScope(), newParty(null))).toBe(POLICY)
      const byParty: Scope = { rows: 'ROWS', partyId: 'pty_new', subject: 'dev:paul' }
      expect(await tried(byParty, newParty(null))).toBe(POLICY)
      const byBoth: Scope = { ...partnerScope(), partyId: 'pty_new' }
      expect(await tried(byBoth, newParty(world.partners[0]))).toBe(POLICY)
      expect(await tried({ rows: 'NONE', subject: 'dev:paul' }, newParty(null))).toBe(POLICY)
    })

    test('partners are created by unscoped work alone', async () => {
      const insert = sql`insert into partner (id, code, name, kind) values ('ptn_new', 'N', 'N', 'DEALER')`
      expect(await tried({ rows: 'ALL' }, insert)).toBe('Error: affected 1')
      expect(await tried({ rows: 'ROWS', partnerId: 'ptn_new' }, insert)).toBe(POLICY)
      expect(await tried({ rows: 'NONE' }, insert)).toBe(POLICY)
    })

    test('records are written under a context, in the name of the acting one, at the time of the database', async () => {
      const entry = (subject: string, more = '', value = '') => sql`
        insert into audit_entry (id, request_id, subject, username, mode, action, outcome${new Statement(more, [])})
        values ('aud_x', 'r', ${subject}, 'x', 'token', 'x', 'DONE'${new Statement(value, [])})`
      expect(await tried({ rows: 'NONE' }, entry('anyone'))).toBe('Error: affected 1')
      expect(await tried(partnerScope(), entry('dev:paul'))).toBe('Error: affected 1')
      expect(await tried(partnerScope(), entry('dev:eva'))).toBe(POLICY)
      expect(await tried(partnerScope(), entry('dev:paul', ', at', ', now()'))).toBe(POLICY)
      expect(await tried(partnerScope(), entry('dev:paul', ', xid', `, '7'`))).toBe(POLICY)
    })

    test('a kept answer is read, written and forgotten by its subject alone', async () => {
      const all = sql`delete from idempotency`
      expect(await tried({ rows: 'ALL', subject: 'dev:eva' }, all)).toBe('Error: affected 0')
      expect(await tried({ rows: 'ALL' }, all)).toBe('Error: affected 0')
      const kept = `Error: affected ${world.deals.length}`
      expect(await tried({ rows: 'NONE', subject: 'dev:paul' }, all)).toBe(kept)
      const insert = sql`
        insert into idempotency (subject, method, path, key, request_hash, status, headers, body)
        values ('dev:eva', 'POST', '/', 'k', 'h', 200, '{}', '')`
      expect(await tried(partnerScope(), insert)).toBe(POLICY)
    })
  })
})
