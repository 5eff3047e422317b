import { type Static, Type } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { accessErrors } from '../access/errors.ts'
import { notHumanRefusal, type Prepared, sameUserRefusal } from '../access/four-eyes.ts'
import { codesOf, isPermitted, type Permission } from '../access/permissions.ts'
import { type Refusal, requireNone } from '../base/errors.ts'

/**
 * What can be done with one item. The command's endpoint and the item's `actions[]` read the same
 * value, so a button never promises what the endpoint refuses.
 */
export interface Action<Subject> {
  /** Last path segment, `edit` for PATCH, `amend` for POST changes. */
  readonly name: string
  readonly permission: Permission
  readonly fourEyes?: boolean
  /** Whether the item's present state allows it. */
  readonly stateRefusal: (subject: Subject, caller: Caller) => Refusal | undefined
}

export const ActionView = Type.Object({
  name: Type.String(),
  allowed: Type.Boolean(),
  reason: Type.Union([Type.Object({ code: Type.String(), detail: Type.String() }), Type.Null()]),
  permission: Type.String(),
})
export type ActionView = Static<typeof ActionView>

/** Order of checks 6: permission and scope. */
export function commandRefusal(
  caller: Caller,
  permission: Permission,
  fourEyes: boolean,
): Refusal | undefined {
  if (!isPermitted(caller.permissions, permission)) return permissionRefusal(permission)
  if (caller.actor !== undefined) {
    return accessErrors.IMPERSONATION_READ_ONLY.refusal(
      'This session acts as another user, so it can only read. Sign in as yourself.',
    )
  }
  if (fourEyes && caller.partyId !== undefined) {
    return accessErrors.PERMISSION_MISSING.refusal('A caller linked to a party decides nothing.', {
      requiredPermission: codesOf(permission)[0],
    })
  }
  return undefined
}

export function permissionRefusal(permission: Permission): Refusal {
  const codes = codesOf(permission)
  return accessErrors.PERMISSION_MISSING.refusal(
    codes.length === 1
      ? `This needs the permission ${codes[0]}.`
      : `This needs one of the permissions ${codes.join(', ')}.`,
    codes.length === 1
      ? { requiredPermission: codes[0] }
      : { requiredPermission: codes[0], requiredPermissions: codes },
  )
}

/** Platform contract, section 3: what spans everyone is not for callers linked to one. */
export function scopedRefusal(permission: Permission): Refusal {
  return accessErrors.PERMISSION_MISSING.refusal(
    'This spans all parties and partners. Your account is linked to one of them, so it is refused whatever permissions it holds.',
    { requiredPermission: codesOf(permission)[0] },
  )
}

/** Order of checks 10 and 11: four-eyes before the state, so that a preparer always learns this reason. */
function itemRefusal<Subject>(
  action: Action<Subject>,
  subject: Subject,
  caller: Caller,
): Refusal | undefined {
  if (action.fourEyes) {
    const refusal = sameUserRefusal(subject as Prepared, caller) ?? notHumanRefusal(caller)
    if (refusal) return refusal
  }
  return action.stateRefusal(subject, caller)
}

export function requireAction<Subject>(
  action: Action<Subject>,
  subject: Subject,
  caller: Caller,
): void {
  requireNone(itemRefusal(action, subject, caller))
}

export function actionsOf<Subject>(
  actions: readonly Action<Subject>[],
  subject: Subject,
  caller: Caller,
): ActionView[] {
  return actions.map((action) => {
    const refusal =
      commandRefusal(caller, action.permission, action.fourEyes ?? false) ??
      itemRefusal(action, subject, caller)
    return {
      name: action.name,
      allowed: refusal === undefined,
      reason: refusal === undefined ? null : { code: refusal.kind.code, detail: refusal.detail },
      permission: codesOf(action.permission)[0] as string,
    }
  })
}
