import { Type } from 'typebox'
import { Instant, Nullable, OneOf, Text } from '../base/schema.ts'
import { instantParameter } from '../http/instant-parameter.ts'
import { Page, Paged, pageOf, requireInstantPosition } from '../http/paging.ts'
import { query } from '../http/route.ts'
import { personalValuesOf } from './export-store.ts'
import { auditRecords } from './list-store.ts'
import { shownDiffOf } from './shown-diff.ts'

const OUTCOMES = ['DONE', 'REFUSED'] as const
const LONGEST_FILTER = 512
const Filter = Type.Optional(Text(LONGEST_FILTER))
const MaybeText = Nullable(Type.String())

const AuditEntryView = Type.Object({
  id: Type.String(),
  seq: Nullable(Type.Integer({ description: 'null until the entry is chained, about a second' })),
  hash: MaybeText,
  at: Instant,
  requestId: Type.String(),
  subject: Type.String(),
  username: Type.String(),
  clientId: MaybeText,
  sessionId: MaybeText,
  issuer: MaybeText,
  mode: Type.String(),
  actor: MaybeText,
  remoteAddress: MaybeText,
  action: Type.String(),
  outcome: OneOf(OUTCOMES),
  code: MaybeText,
  itemKind: MaybeText,
  itemId: MaybeText,
  itemVersion: Nullable(Type.Integer()),
  diff: Type.Array(
    Type.Object({
      pointer: Type.String(),
      before: Type.Unknown(),
      after: Type.Unknown(),
      personal: Type.Optional(
        Type.Boolean({ description: 'a value of a person: "erased" once it has been' }),
      ),
    }),
  ),
})

export const listAudit = query({
  id: 'listAudit',
  surface: 'operations',
  path: '/audit',
  summary: 'Search the audit trail, newest first.',
  permission: 'audit:read',
  unscopedOnly: true,
  query: Paged({
    itemKind: Filter,
    itemId: Filter,
    subject: Filter,
    username: Filter,
    action: Filter,
    outcome: Type.Optional(OneOf(OUTCOMES)),
    code: Filter,
    requestId: Filter,
    'at[gte]': Type.Optional(Instant),
    'at[lt]': Type.Optional(Instant),
  }),
  reply: Page(AuditEntryView),

  async run({ read, query, page }) {
    requireInstantPosition(page)
    const { limit: _limit, cursor: _cursor, ...filter } = query
    const records = await auditRecords(
      read,
      {
        ...filter,
        from: instantParameter('at[gte]', query['at[gte]']),
        before: instantParameter('at[lt]', query['at[lt]']),
      },
      page,
    )
    const personal = await personalValuesOf(
      read,
      records.map(({ id }) => id),
    )
    return pageOf(
      records,
      page,
      ({ at, id }) => [at, id],
      (record) => ({
        ...record,
        outcome: record.outcome as (typeof OUTCOMES)[number],
        diff: shownDiffOf(record.diff, personal.get(record.id) ?? []),
      }),
    )
  },
})
