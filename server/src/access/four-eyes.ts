import type { Refusal } from '../base/errors.ts'
import { folded } from '../base/folded.ts'
import { type Caller, type PersonRef, personRefOf } from './caller.ts'
import { accessErrors } from './errors.ts'

/** Anything that one person prepares and another decides. */
export interface Prepared {
  /** Keys of every person who created, edited or submitted it. Never shrinks. */
  readonly preparers: readonly string[]
  readonly preparedBy: readonly Preparation[]
}

export interface Preparation extends PersonRef {
  readonly at: string
}

/**
 * By what a person is recognised: subject, user name, person, and the same of the actor behind an
 * impersonated session. Two callers that share one key are the same user, whatever else differs:
 * a shared name only ever refuses, it never identifies.
 */
export function personKeysOf(caller: Caller): string[] {
  const keys = [`sub:${caller.subject}`, `name:${folded(caller.username)}`]
  if (caller.person !== undefined) keys.push(`person:${caller.person}`)
  if (caller.actor !== undefined) {
    keys.push(`sub:${caller.actor.subject}`)
    if (caller.actor.username !== undefined) keys.push(`name:${folded(caller.actor.username)}`)
  }
  return keys
}

/** Keys of a caller are asked for at every action of every row. */
const knownKeys = new WeakMap<Caller, readonly string[]>()

export function isPreparer(item: Prepared, caller: Caller): boolean {
  let keys = knownKeys.get(caller)
  if (keys === undefined) {
    keys = personKeysOf(caller)
    knownKeys.set(caller, keys)
  }
  for (const key of keys) if (item.preparers.includes(key)) return true
  return false
}

/** Spec 5.5.4, for every kind of item. There is no exception and no override. */
export function sameUserRefusal(item: Prepared, caller: Caller): Refusal | undefined {
  if (item.preparers.length === 0) {
    return accessErrors.FOUR_EYES_SAME_USER.refusal(
      'No preparer is recorded for this item, so nobody can decide it. Withdraw it and prepare it again.',
    )
  }
  if (!isPreparer(item, caller)) return undefined
  const own = ownPreparationOf(item, caller)
  const told = own ?? item.preparedBy[0]
  return accessErrors.FOUR_EYES_SAME_USER.refusal(
    `${own ? `You prepared this on ${own.at.slice(0, 10)}.` : 'You are one of those who prepared this.'} ` +
      'Someone else with the permission must decide.',
    told && { preparedBy: { id: told.id, username: told.username }, preparedAt: told.at },
  )
}

/** By the account, else by the name; none where only the person or the actor behind it matches. */
function ownPreparationOf(item: Prepared, caller: Caller): Preparation | undefined {
  const { id } = personRefOf(caller)
  const name = folded(caller.username)
  return (
    item.preparedBy.find((by) => by.id === id) ??
    item.preparedBy.find((by) => folded(by.username) === name)
  )
}

export function notHumanRefusal(caller: Caller): Refusal | undefined {
  if (caller.human) return undefined
  return accessErrors.HUMAN_APPROVER_REQUIRED.refusal(
    'Only people decide. Sign in with a personal account; service accounts may prepare, not approve.',
  )
}
