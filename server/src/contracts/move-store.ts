import { type Caller, personRefOf } from '../access/caller.ts'
import { personKeysOf } from '../access/four-eyes.ts'
import { type Statement, sql } from '../storage/sql.ts'
import type { Tx } from '../storage/tx.ts'
import type { Decision } from './contract.ts'
import { MOVES, type Move } from './states.ts'
import { contractById, instantNow, preparedBy, touchedBy } from './store.ts'
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
    ${touchedBy(caller)}`,
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
    decider = null, ${preparedBy(caller)}, ${touchedBy(caller)}`,
  )
}

export async function withdraw(
  tx: Tx,
  contract: StoredContract,
  caller: Caller,
): Promise<StoredContract> {
  return await moveTo(tx, contract, 'withdraw', touchedBy(caller))
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
