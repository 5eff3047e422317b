import type { Caller } from '../access/caller.ts'
import { Problem } from '../base/errors.ts'
import type { StoredChange } from '../changes/index.ts'
import { requireAdmitted } from '../http/admission.ts'
import { httpErrors } from '../http/errors.ts'
import type { OtherCommand, RefusedItem, Route } from '../http/route.ts'
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
  readonly noteRefusal: (problem: Problem, refused: RefusedItem) => Promise<void>
}

/** The very command of the item, in a savepoint: what is refused takes nothing else with it. */
export async function decideOne(
  { tx, caller, runOther, noteRefusal }: Deciding,
  decision: BulkDecision,
  change: StoredChange | undefined,
): Promise<BulkResult> {
  const { kind, id } = decision
  const target = targetOf(decision, change)
  try {
    await tx.savepoint(async () => {
      if (target === undefined) throw httpErrors.NOT_FOUND('There is no such change.')
      requireAdmitted(target.route, caller)
      await runOther({ ...target, body: bodyOf(decision), version: decision.version })
    })
    return { kind, id, status: 200 }
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    await noteRefusal(error, refusedOf(decision, target, change))
    return { kind, id, status: error.status, code: error.code, detail: error.detail }
  }
}

type Target = Pick<OtherCommand, 'route' | 'params'>

/** Undefined where there is no such change. What cannot be returned is refused as a rejection is. */
function targetOf(
  { kind, id, decision }: BulkDecision,
  change: StoredChange | undefined,
): Target | undefined {
  if (kind === 'CONTRACT') {
    return { route: decisionRoute('contract', decision), params: { contract_id: id } }
  }
  if (change === undefined) return undefined
  const { itemKind, itemId } = change
  return {
    route: decisionRoute(`${itemKind} change`, decision === 'RETURN' ? 'REJECT' : decision),
    params: { [`${itemKind}_id`]: itemId, change_id: id },
  }
}

/** The same words as where a single item is refused, so that its history finds them. */
function refusedOf(
  { kind, id }: BulkDecision,
  target: { readonly route: Route } | undefined,
  change: StoredChange | undefined,
): RefusedItem {
  return {
    action: target?.route.id ?? 'decideApprovals',
    item: change ? { kind: change.itemKind, id: change.itemId } : { kind: kind.toLowerCase(), id },
  }
}

function bodyOf({ kind, decision, reason }: BulkDecision): object | undefined {
  if (kind === 'CHANGE' && decision === 'RETURN') {
    const detail = 'A change cannot be returned; reject it with a reason.'
    throw httpErrors.RULE_VIOLATED(detail, {
      errors: [{ pointer: '/decision', code: 'NOT_ALLOWED', detail }],
    })
  }
  if (decision === 'APPROVE') return reason === undefined ? undefined : { comment: reason }
  if (reason !== undefined) return { reason }
  const detail = 'Rejecting and returning need a reason.'
  throw httpErrors.VALIDATION_FAILED(detail, {
    errors: [{ pointer: '/reason', code: 'REQUIRED', detail }],
  })
}
