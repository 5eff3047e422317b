import { Type } from 'typebox'
import { Exact, Id, OneOf, Text } from '../base/schema.ts'
import { changesByIds } from '../changes/index.ts'
import { command } from '../http/route.ts'
import { type BulkDecision, type BulkResult, decideOne } from './decide-one.ts'
import { APPROVING } from './permissions.ts'

const MOST_DECISIONS = 100

const Decision = Exact({
  kind: OneOf(['CONTRACT', 'CHANGE']),
  id: Id,
  decision: OneOf(['APPROVE', 'REJECT', 'RETURN']),
  version: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  reason: Type.Optional(Text(1_000)),
})

export const decideApprovals = command({
  id: 'decideApprovals',
  surface: 'operations',
  method: 'POST',
  path: '/approvals/decisions',
  summary:
    'Decide several items at once, each about the version that was seen; a result per item. dryRun=true is the preflight.',
  permission: APPROVING,
  body: Exact({
    decisions: Type.Array(Decision, { minItems: 1, maxItems: MOST_DECISIONS }),
  }),
  reply: Type.Object({
    results: Type.Array(
      Type.Object({
        kind: Type.String(),
        id: Id,
        status: Type.Integer(),
        code: Type.Optional(Type.String()),
        detail: Type.Optional(Type.String()),
      }),
    ),
  }),

  async run({ tx, caller, body, runOther, noteRefusal }) {
    const { decisions } = body
    const changes = await changesByIds(
      tx,
      decisions.filter(({ kind }) => kind === 'CHANGE').map(({ id }) => id),
    )
    const changeOf = ({ kind, id }: BulkDecision) =>
      kind === 'CHANGE' ? changes.find((change) => change.id === id) : undefined
    const results: BulkResult[] = []
    for (const place of lockOrderOf(decisions.map((each) => changeOf(each)?.itemId ?? each.id))) {
      const decision = decisions[place] as BulkDecision
      results[place] = await decideOne(
        { tx, caller, runOther, noteRefusal },
        decision,
        changeOf(decision),
      )
    }
    return { reply: { results }, event: null }
  },
})

/** Always by the id of the item, so that two bulk decisions never wait for each other in a circle. */
function lockOrderOf(itemIds: readonly string[]): number[] {
  const places = itemIds.map((_, place) => place)
  const idAt = (place: number): string => itemIds[place] as string
  return places.sort((a, b) => (idAt(a) < idAt(b) ? -1 : idAt(a) > idAt(b) ? 1 : a - b))
}
