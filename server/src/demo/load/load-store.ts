import { Statement, sql } from '../../storage/sql.ts'
import type { Tx } from '../../storage/tx.ts'
import { actAs } from '../telling-store.ts'
import type { LoadedContract } from './load-contract.ts'
import type { TableRow } from './load-party.ts'
import { type LoadPerson, loader } from './load-people.ts'
import type { LoadPlan } from './load-plan.ts'

/** Where a load stands; kept with the facts of the deployment, moved with every batch. */
export interface LoadPosition extends LoadPlan {
  readonly done: number
}

const POSITION = 'load'

export async function loadPosition(tx: Tx): Promise<LoadPosition | undefined> {
  const found = await tx.maybeOne<{ value: string }>(
    sql`select value from deployment where name = ${POSITION}`,
  )
  return found && (JSON.parse(found.value) as LoadPosition)
}

export async function beginLoad(tx: Tx, position: LoadPosition): Promise<void> {
  await tx.run(sql`
    insert into deployment (name, value) values (${POSITION}, ${JSON.stringify(position)})`)
}

/** In the transaction of the rows: of two who load at once, one finds that the other was there. */
export async function moveOn(tx: Tx, from: LoadPosition, to: LoadPosition): Promise<void> {
  const moved = await tx.run(sql`
    update deployment set value = ${JSON.stringify(to)}
     where name = ${POSITION} and value = ${JSON.stringify(from)}`)
  if (moved !== 1) throw new Error('Another `tfs seed` loads this database; let it finish.')
}

/** Every change that someone made through the API left an entry; what was seeded says `system`. */
export async function hasLiveData(tx: Tx): Promise<boolean> {
  const { live } = await tx.one<{ live: boolean }>(sql`
    select exists (select from audit_entry where mode <> 'system' and outcome = 'DONE') as live`)
  return live
}

/** Under the guards of partners: begun active by their creator, then some of them suspended. */
export async function insertPartners(
  tx: Tx,
  partners: readonly TableRow[],
  suspendedIds: readonly string[],
  by: LoadPerson,
): Promise<void> {
  await actAs(tx, { rows: 'ALL', subject: by.caller.subject })
  const inserted = await tx.run(sql`
    insert into partner select * from jsonb_populate_recordset(null::partner, ${partners}::jsonb)`)
  requireAll('partner', inserted, partners.length)
  const suspended = await tx.run(sql`
    update partner
       set state = 'SUSPENDED', suspend_reason = 'The framework agreement has run out.',
           version = version + 1, updated_by = ${by.ref}::jsonb
     where id = any (${suspendedIds}::text[])`)
  requireAll('partner', suspended, suspendedIds.length)
  await recordLoaded(tx, 'partner', begun(partners))
}

/** Under the guards of parties: their creator acts. */
export async function insertParties(
  tx: Tx,
  parties: readonly TableRow[],
  by: LoadPerson,
): Promise<void> {
  await actAs(tx, { rows: 'ALL', subject: by.caller.subject })
  const inserted = await tx.run(sql`
    insert into party select * from jsonb_populate_recordset(null::party, ${parties}::jsonb)`)
  requireAll('party', inserted, parties.length)
  await recordLoaded(tx, 'party', begun(parties))
}

/**
 * Contracts as they stand, with every version and change that led there. Their guards say "begins
 * undecided" and "now is now", which the past cannot obey: the owner lifts them for this statement's
 * transaction. Constraints, foreign keys and policies hold.
 */
export async function insertContracts(tx: Tx, contracts: readonly LoadedContract[]): Promise<void> {
  await actAs(tx, { rows: 'ALL', subject: loader.caller.subject })
  for (const table of GUARDED) await tx.run(new Statement(`alter table ${table} ${LIFTED}`, []))
  const counts = await tx.one<Record<'contracts' | 'versions' | 'changes', number>>(sql`
    with given as materialized (
      select value from jsonb_array_elements(${contracts}::jsonb) as given (value)),
    changes as (
      insert into change
      select made.* from given, jsonb_populate_record(null::change, given.value -> 'change'
               || jsonb_build_object('decided_xid',
                    case when given.value #>> '{change,state}' = 'APPROVED'
                         then pg_current_xact_id()::text end)) made
       where jsonb_typeof(given.value -> 'change') = 'object'
      returning 1),
    contracts as (
      insert into contract
      select made.* from given, jsonb_populate_record(null::contract,
               (given.value -> 'base') || (given.value -> 'versions' -> -1)) made
      returning 1),
    versions as (
      insert into contract_version (contract_id, version, party_id, partner_id, snapshot, at)
      select base ->> 'id', (stood ->> 'version')::integer, base ->> 'party_id',
             base ->> 'partner_id', base || stood, (stood ->> 'updated_at')::timestamptz
        from given, lateral (select given.value -> 'base' as base) kept,
             jsonb_array_elements(given.value -> 'versions') as versions (stood)
      returning 1)
    select (select count(*)::integer from contracts) as contracts,
           (select count(*)::integer from versions) as versions,
           (select count(*)::integer from changes) as changes`)
  for (const table of GUARDED) await tx.run(new Statement(`alter table ${table} ${IN_FORCE}`, []))
  const versions = contracts.reduce((sum, contract) => sum + contract.versions.length, 0)
  requireAll('contract', counts.contracts, contracts.length)
  requireAll('contract_version', counts.versions, versions)
  requireAll('change', counts.changes, contracts.filter(({ change }) => change !== null).length)
  await recordLoaded(
    tx,
    'contract',
    contracts.map(({ base: { id }, versions }) => ({ id, version: versions.length })),
  )
}

const GUARDED = ['contract', 'change'] as const
const LIFTED = 'disable trigger user'
const IN_FORCE = 'enable trigger user'

interface Loaded {
  readonly id: string
  readonly version: number
}

/** What really happened: the program brought this in, today. One entry and one event for each row. */
async function recordLoaded(tx: Tx, kind: string, items: readonly Loaded[]): Promise<void> {
  await actAs(tx, { rows: 'ALL', subject: loader.caller.subject })
  const { subject, username } = loader.caller
  const action = `${kind}.loaded`
  const entries = await tx.run(sql`
    insert into audit_entry (id, request_id, subject, username, mode, action, outcome, item_kind,
                             item_id, item_version)
    select 'aud_' || substr(id, 5), 'tfs-seed-load', ${subject}, ${username}, 'system', ${action},
           'DONE', ${kind}, id, version
      from jsonb_to_recordset(${items}::jsonb) as loaded (id text, version integer)`)
  requireAll('audit_entry', entries, items.length)
  const events = await tx.run(sql`
    insert into event (id, type, item_kind, item_id, item_version, request_id)
    select 'evt_' || substr(id, 5), ${action}, ${kind}, id, version, 'tfs-seed-load'
      from jsonb_to_recordset(${items}::jsonb) as loaded (id text, version integer)`)
  requireAll('event', events, items.length)
}

const begun = (rows: readonly TableRow[]): Loaded[] => rows.map(({ id }) => ({ id, version: 1 }))

/** Row-level security hides rows without a word; a count that does not fit ends the batch. */
function requireAll(table: string, stored: number, wanted: number): void {
  if (stored !== wanted) throw new Error(`Of ${wanted} rows of ${table} ${stored} were stored.`)
}
