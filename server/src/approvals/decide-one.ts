import type { Caller } from '../access/caller.ts'
import { Problem } from '../base/errors.ts'
import { changesByIds } from '../changes/index.ts'
import { requireAdmitted } from '../http/admission.ts'
import { httpErrors } from '../http/errors.ts'
import type { OtherCommand, Route } from '../http/route.ts'
import type { Tx } from '../storage/tx.ts'
import { decisionRoute } from './decision-routes.ts'

export interface BulkDecision {
  readonly kind: 'CONTRACT' | 'CHANGE'
  readonly id: string
  readonly decision: 'APPROVE' | 'REJECT' | 'RETURN'
  readonly version: number
  readonly reason?: string
}

export interface BulkResult {
  readonly kind: string
  readonly id: string
  readonly status: number
  readonly code?: string
  readonly detail?: string
}

interface Deciding {
  readonly tx: Tx
  readonly caller: Caller
  readonly runOther: (other: OtherCommand) => Promise<void>
}

/** The very command of the item, in a savepoint: what is refused takes nothing else with it. */
export async function decideOne(
  { tx, caller, runOther }: Deciding,
  decision: BulkDecision,
): Promise<BulkResult> {
  const { kind, id } = decision
  try {
    await tx.savepoint(async () => {
      const { route, params } = await targetOf(tx, decision)
      requireAdmitted(route, caller)
      await runOther({ route, params, body: bodyOf(decision), version: decision.version })
    })
    return { kind, id, status: 200 }
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return { kind, id, status: error.status, code: error.code, detail: error.detail }
  }
}

async function targetOf(
  tx: Tx,
  { kind, id, decision }: BulkDecision,
): Promise<{ route: Route; params: Readonly<Record<string, string>> }> {
  if (kind === 'CONTRACT') {
    return { route: decisionRoute('contract', decision), params: { contract_id: id } }
  }
  const [change] = await changesByIds(tx, [id])
  if (change === undefined) throw httpErrors.NOT_FOUND('There is no such change.')
  if (decision === 'RETURN') {
    const detail = 'A change cannot be returned; reject it with a reason.'
    throw httpErrors.RULE_VIOLATED(detail, {
      errors: [{ pointer: '/decision', code: 'NOT_ALLOWED', detail }],
    })
  }
  return {
    route: decisionRoute(`${change.itemKind} change`, decision),
    params: { [`${change.itemKind}_id`]: change.itemId, change_id: id },
  }
}

function bodyOf({ decision, reason }: BulkDecision): object | undefined {
  if (decision === 'APPROVE') return reason === undefined ? undefined : { comment: reason }
  if (reason !== undefined) return { reason }
  const detail = 'Rejecting and returning need a reason.'
  throw httpErrors.VALIDATION_FAILED(detail, {
    errors: [{ pointer: '/reason', code: 'REQUIRED', detail }],
  })
}
