import type { Caller } from '../access/caller.ts'
import { isScoped } from '../access/scope.ts'
import type { ContractContent } from './contract.ts'
import { ruleViolated } from './rule-violated.ts'

/** A whole contract, or the members that a patch names; null takes a member away. */
type Given = { readonly [Member in keyof ContractContent]?: unknown }

/** What a caller does not get to see it does not write either; its contracts stay its own. */
export function requireOwnFields(given: Given, caller: Caller): void {
  if (given.internalNote !== undefined && isScoped(caller)) {
    throw ruleViolated(
      '/internalNote',
      'NOT_YOURS',
      'Only staff of the house write internal notes.',
    )
  }
  if (given.commission !== undefined && caller.partyId !== undefined) {
    throw ruleViolated('/commission', 'NOT_YOURS', 'Only staff and partners write commissions.')
  }
  if (given.partnerId === null && caller.partnerId !== undefined) {
    throw ruleViolated('/partnerId', 'NOT_YOURS', 'A contract of yours stays with your partner.')
  }
}
