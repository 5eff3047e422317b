import { isScoped } from '../access/scope.ts'
import type { Refusal } from '../base/errors.ts'
import { changeErrors } from '../changes/index.ts'
import { type Action, scopedRefusal } from '../http/action.ts'
import { httpErrors } from '../http/errors.ts'
import type { StoredPartner } from './partner.ts'

type PartnerAction = Action<StoredPartner>

/** Partners are the house's: their staff see their own and change nothing of it. */
function ofHouse(
  name: string,
  stateRefusal: (partner: StoredPartner) => Refusal | undefined,
): PartnerAction {
  const permission = 'partner:update'
  return {
    name,
    permission,
    stateRefusal: (partner, caller) =>
      isScoped(caller) ? scopedRefusal(permission) : stateRefusal(partner),
  }
}

export const partnerActions = {
  edit: ofHouse('edit', openChangeRefusal),
  suspend: ofHouse('suspend', (partner) => stateRefusal(partner, 'ACTIVE')),
  resume: ofHouse(
    'resume',
    (partner) => stateRefusal(partner, 'SUSPENDED') ?? openChangeRefusal(partner),
  ),
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

function openChangeRefusal({ pendingChanges }: StoredPartner): Refusal | undefined {
  if (pendingChanges.length === 0) return undefined
  return changeErrors.CHANGE_ALREADY_PENDING.refusal(
    'A change of this partner waits for a decision. Decide or withdraw it first.',
    { changeId: pendingChanges[0]?.id },
  )
}
