import { contextValuesOf, SET_CONTEXT } from '../storage/context.ts'
import type { Scope } from '../storage/scope.ts'
import { Statement, sql } from '../storage/sql.ts'
import type { Tx } from '../storage/tx.ts'
import { DEMO_IDS } from './people.ts'

/** From here on the transaction acts for someone else: policies and guards hold for that one. */
export async function actAs(tx: Tx, scope: Scope): Promise<void> {
  await tx.run(new Statement(SET_CONTEXT, contextValuesOf(scope)))
}

/** What a commit would check, checked here: one transaction stands for many. */
export async function endScene(tx: Tx): Promise<void> {
  await tx.run(sql`set constraints all immediate`)
  await tx.run(sql`set constraints all deferred`)
}

/** One seeding at a time; whoever comes second sees what the first one did. */
export async function waitForOtherSeeding(tx: Tx): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended('tfs.seed.' || current_schema(), 0))`)
}

export interface Surroundings {
  /** The story was told here before. */
  readonly isTold: boolean
  /** Parties, partners or contracts of anybody else. */
  readonly hasOtherData: boolean
  /** Something was done or refused here before: the audit trail has begun. */
  readonly hasTrail: boolean
}

export function surroundings(tx: Tx): Promise<Surroundings> {
  return tx.one<Surroundings>(sql`
    select exists (select from partner where id = ${DEMO_IDS.dealer}) as "isTold",
           exists (select from partner) or exists (select from party)
             or exists (select from contract) as "hasOtherData",
           exists (select from audit_entry) or exists (select from event) as "hasTrail"`)
}

/** The database's clock in whole milliseconds, once it is past everything that was written so far. */
export async function clockAfterLastScene(tx: Tx): Promise<string> {
  for (;;) {
    const clock = await tx.maybeOne<{ now: string }>(sql`
      select now from (select date_trunc('milliseconds', clock_timestamp()) as now) clock
       where now > coalesce((select max(at) from event), '-infinity')`)
    if (clock !== undefined) return clock.now
  }
}
