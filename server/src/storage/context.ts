import type { Scope } from './scope.ts'

/**
 * The row-level context: four settings, local to the transaction, that the policies read. All four
 * are always set, so that nothing of an earlier caller can remain.
 */
const SETTINGS = ['tfs.scope', 'tfs.party', 'tfs.partner', 'tfs.subject'] as const

export function contextValuesOf(scope: Scope): string[] {
  return [scope.rows, scope.partyId ?? '', scope.partnerId ?? '', scope.subject ?? '']
}

function setConfigs(firstParameter: number): string {
  return SETTINGS.map(
    (name, index) => `set_config('${name}', $${firstParameter + index}, true)`,
  ).join(', ')
}

export const SET_CONTEXT = `select ${setConfigs(1)}`

const MAX_REMEMBERED_TEXTS = 2000
const wrapped = new Map<string, string>()

/**
 * A select that brings its own context: one round trip, one implicit transaction.
 *
 * The statement stands in a lateral subquery that refers to the context, behind an OFFSET 0 fence:
 * it cannot be planned but as the inner side of a nested loop over the one row of the context, and
 * nothing of it runs before that row exists. `set_config` is parallel unsafe, so that no worker can
 * start early either.
 */
export function withContext(text: string, parameters: number): string {
  const known = wrapped.get(text)
  if (known !== undefined) return known
  const made = `with context (scope, party, partner, subject) as materialized (
  select ${setConfigs(parameters + 1)})
select q.* from context, lateral (
  select t.* from (
${text}
  ) t where context.scope is not null offset 0) q`
  // Texts come from templates, so there are few; the bound only keeps a mistake from growing.
  if (wrapped.size >= MAX_REMEMBERED_TEXTS) wrapped.clear()
  wrapped.set(text, made)
  return made
}
