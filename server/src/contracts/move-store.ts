import { type Caller, personRefOf } from '../access/caller.ts'
import { personKeysOf } from '../access/four-eyes.ts'
import { instantNow } from '../storage/instant-now.ts'
import { type Statement, sql } from '../storage/sql.ts'
import type { Tx } from '../storage/tx.ts'
import type { Decision } from './contract.ts'
import type { PreparedContent } from './prepare-content.ts'
import { MOVES, type Move } from './states.ts'
import { contentAssignments, contractById, preparedBy, touchedBy } from './store.ts'
import type { StoredContract } from './stored-contract.ts'

const OUTCOMES = { approve: 'APPROVED', reject: 'REJECTED', return: 'RETURNED' } as const

export interface DecisionTaken {
  readonly move: keyof typeof OUTCOMES
  readonly caller: Caller
  readonly versionStated: boolean
  readonly comment: string | undefined
}

/** Records who decided what about exactly which version, and makes the move. */
export async function decide(
  tx: Tx,
  contract: StoredContract,
  { move, caller, versionStated, comment }: DecisionTaken,
): Promise<StoredContract> {
  const decision: Omit<Decision, 'at'> = {
    decision: OUTCOMES[move],
    by: personRefOf(caller),
    version: contract.version,
    versionStated,
    contentHash: contract.contentHash,
    ...(comment !== undefined && { comment }),
  }
  return await moveTo(
    tx,
    contract,
    move,
    sql`
    decider = ${personKeysOf(caller)}::text[],
    decisions = decisions || jsonb_build_array(
      ${decision}::jsonb || jsonb_build_object('at', ${instantNow})),
    move_reason = ${comment ?? null}, ${touchedBy(caller)}`,
  )
}

export async function submit(
  tx: Tx,
  contract: StoredContract,
  caller: Caller,
): Promise<StoredContract> {
  return await moveTo(
    tx,
    contract,
    'submit',
    sql`
    submitted_by = ${personRefOf(caller)}::jsonb, submitted_at = clock_timestamp(),
    decider = null, move_reason = null, ${preparedBy(caller)}, ${touchedBy(caller)}`,
  )
}

export async function withdraw(
  tx: Tx,
  contract: StoredContract,
  caller: Caller,
  reason: string,
): Promise<StoredContract> {
  return await moveTo(tx, contract, 'withdraw', sql`move_reason = ${reason}, ${touchedBy(caller)}`)
}

/** The approval is void, its story stays: the decision is still among the decisions. */
export async function reopen(
  tx: Tx,
  contract: StoredContract,
  caller: Caller,
  reason: string,
): Promise<StoredContract> {
  return await moveTo(
    tx,
    contract,
    'reopen',
    sql`decider = null, move_reason = ${reason}, ${touchedBy(caller)}`,
  )
}

export async function activate(
  tx: Tx,
  contract: StoredContract,
  caller: Caller,
  activationDate: string,
): Promise<StoredContract> {
  return await moveTo(
    tx,
    contract,
    'activate',
    sql`
    activator = ${personKeysOf(caller)}::text[], activated_by = ${personRefOf(caller)}::jsonb,
    activated_at = clock_timestamp(), activation_date = ${activationDate}::date,
    move_reason = null, ${touchedBy(caller)}`,
  )
}

export interface Ending {
  readonly move: 'settle' | 'terminate'
  readonly changeId: string
  readonly effectiveDate: string
  readonly reason: string
  readonly caller: Caller
}

/** Carries out a settlement or termination that another person has just approved. */
export async function end(
  tx: Tx,
  contract: StoredContract,
  { move, changeId, effectiveDate, reason, caller }: Ending,
): Promise<StoredContract> {
  return await moveTo(
    tx,
    contract,
    move,
    sql`
    change_id = ${changeId}, effective_date = ${effectiveDate}::date, move_reason = ${reason},
    ${touchedBy(caller)}`,
  )
}

/** Restates the content of an active contract as an approved amendment says. */
export async function amend(
  tx: Tx,
  contract: StoredContract,
  prepared: PreparedContent,
  { changeId, reason, caller }: Pick<Ending, 'changeId' | 'reason' | 'caller'>,
): Promise<StoredContract> {
  await tx.run(sql`
    update contract
       set ${contentAssignments(prepared)}, change_id = ${changeId}, move_reason = ${reason},
           ${touchedBy(caller)}
     where id = ${contract.id}`)
  return await contractById(tx, contract.id)
}

async function moveTo(
  tx: Tx,
  contract: StoredContract,
  move: Move,
  assignments: Statement,
): Promise<StoredContract> {
  await tx.run(sql`
    update contract set state = ${MOVES[move].to}, ${assignments} where id = ${contract.id}`)
  return await contractById(tx, contract.id)
}
