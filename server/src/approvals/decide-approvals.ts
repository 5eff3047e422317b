import { Type } from 'typebox'
import { Exact, Id, OneOf, Text } from '../base/schema.ts'
import { command } from '../http/route.ts'
import { decideOne } from './decide-one.ts'
import { APPROVING } from './permissions.ts'

const MOST_DECISIONS = 100

const BulkDecision = Exact({
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
    decisions: Type.Array(BulkDecision, { minItems: 1, maxItems: MOST_DECISIONS }),
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

  async run({ tx, caller, body, runOther }) {
    const results = []
    for (const decision of body.decisions) {
      results.push(await decideOne({ tx, caller, runOther }, decision))
    }
    return { reply: { results }, event: null }
  },
})
