import type { Refusal } from '../base/errors.ts'
import { changeErrors } from '../changes/index.ts'
import type { Action } from '../http/action.ts'
import { httpErrors } from '../http/errors.ts'
import type { StoredPartner } from './partner.ts'

type PartnerAction = Action<StoredPartner>

export const partnerActions = {
  edit: {
    name: 'edit',
    permission: 'partner:update',
    stateRefusal: () => undefined,
  },
  suspend: {
    name: 'suspend',
    permission: 'partner:update',
    stateRefusal: (partner: StoredPartner) => stateRefusal(partner, 'ACTIVE'),
  },
  resume: {
    name: 'resume',
    permission: 'partner:update',
    stateRefusal: (partner: StoredPartner) =>
      stateRefusal(partner, 'SUSPENDED') ?? openChangeRefusal(partner),
  },
} as const satisfies Record<string, PartnerAction>

export const partnerActionList: readonly PartnerAction[] = Object.values(partnerActions)

function stateRefusal(
  { state }: StoredPartner,
  needed: StoredPartner['state'],
): Refusal | undefined {
  if (state === needed) return undefined
  return httpErrors.INVALID_STATE.refusal(
    `The partner is ${state.toLowerCase()}; this needs it to be ${needed.toLowerCase()}.`,
    { state, allowedStates: [needed] },
  )
}

export function openChangeRefusal({ pendingChanges }: StoredPartner): Refusal | undefined {
  if (pendingChanges.length === 0) return undefined
  return changeErrors.CHANGE_ALREADY_PENDING.refusal(
    'A change of this partner waits for a decision. Decide or withdraw it first.',
    { changeId: pendingChanges[0]?.id },
  )
}
