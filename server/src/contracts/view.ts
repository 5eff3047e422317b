import type { Caller } from '../access/caller.ts'
import { isScoped } from '../access/scope.ts'
import { actionsOf } from '../http/action.ts'
import { contractActionList } from './actions.ts'
import type { Contract } from './contract.ts'
import { nextDueDateOf } from './next-due.ts'
import { isTerminal } from './states.ts'
import type { StoredContract } from './stored-contract.ts'

/** A contract as staff and partners see it. */
export function contractView(stored: StoredContract, caller: Caller, today: string): Contract {
  const { plan, partnerId, partnerName } = stored
  const nextDueDate = isTerminal(stored.state) ? undefined : nextDueDateOf(stored.terms, today)
  return {
    id: stored.id,
    number: stored.number,
    ...(stored.externalRef !== null && { externalRef: stored.externalRef }),
    type: stored.type,
    state: stored.state,
    version: stored.version,
    partyId: stored.partyId,
    party: { id: stored.partyId, displayName: stored.partyName },
    ...(partnerId !== null && { partnerId }),
    ...(partnerId !== null &&
      partnerName !== null && { partner: { id: partnerId, name: partnerName } }),
    ...(stored.asset !== null && { asset: stored.asset }),
    terms: stored.terms,
    instalment: plan.instalment,
    totals: plan.totals,
    effectiveRate: plan.effectiveRate,
    endDate: plan.endDate,
    ...(nextDueDate !== undefined && { nextDueDate }),
    ...laterLife(stored),
    approval: approvalView(stored),
    flags: flagsOf(stored),
    ...withoutInternals(internals(stored), caller),
    createdBy: stored.createdBy,
    createdAt: stored.createdAt,
    updatedBy: stored.updatedBy,
    updatedAt: stored.updatedAt,
    actions: actionsOf(contractActionList, stored, caller),
  }
}

function laterLife({ activationDate, effectiveDate }: StoredContract): Partial<Contract> {
  return {
    ...(activationDate !== null && { activationDate }),
    ...(effectiveDate !== null && { effectiveDate }),
  }
}

/** A partner knows its commission but not the house's notes; a party knows neither. */
export function withoutInternals<Shown extends { commission?: unknown; internalNote?: unknown }>(
  shown: Shown,
  caller: Caller,
): Shown {
  const { commission, internalNote, ...open } = shown
  return {
    ...open,
    ...(commission !== undefined && caller.partyId === undefined && { commission }),
    ...(internalNote !== undefined && !isScoped(caller) && { internalNote }),
  } as Shown
}

function internals({ commission, internalNote }: StoredContract): Partial<Contract> {
  return {
    ...(commission !== null && { commission }),
    ...(internalNote !== null && { internalNote }),
  }
}

function approvalView(stored: StoredContract): Contract['approval'] {
  return {
    status: approvalStatusOf(stored),
    preparedBy: [...stored.preparedBy],
    submittedBy: stored.submittedBy,
    submittedAt: stored.submittedAt,
    contentHash: stored.contentHash,
    decisions: [...stored.decisions],
  }
}

function approvalStatusOf({ state, decisions }: StoredContract): Contract['approval']['status'] {
  switch (state) {
    case 'PENDING_APPROVAL':
      return 'PENDING'
    case 'REJECTED':
    case 'WITHDRAWN':
      return state
    case 'DRAFT':
      return decisions.at(-1)?.decision === 'RETURNED' ? 'RETURNED' : 'NOT_SUBMITTED'
    default:
      return 'APPROVED'
  }
}

function flagsOf({ partyState, partnerState, changePending }: StoredContract): Contract['flags'] {
  const flags: Contract['flags'] = []
  if (partyState === 'BLOCKED') flags.push('PARTY_BLOCKED')
  if (partnerState === 'SUSPENDED') flags.push('PARTNER_SUSPENDED')
  if (changePending) flags.push('CHANGE_PENDING')
  return flags
}
