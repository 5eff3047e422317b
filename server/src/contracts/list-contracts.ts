import { Type } from 'typebox'
import { readDate } from '../base/dates.ts'
import { Id, Instant, OneOf, Text } from '../base/schema.ts'
import { httpErrors } from '../http/errors.ts'
import { Page, Paged, pageOf } from '../http/paging.ts'
import { query } from '../http/route.ts'
import { CONTRACT_TYPES, Contract } from './contract.ts'
import { DEFAULT_SORT, orderOf, positionOf, requireSortPosition, SORTS } from './list-sort.ts'
import { contractsOf } from './list-store.ts'
import { CONTRACT_STATES } from './states.ts'
import { contractView } from './view.ts'

const STATE = `(?:${CONTRACT_STATES.join('|')})`

export const listContracts = query({
  id: 'listContracts',
  surface: 'operations',
  path: '/contracts',
  summary: 'List contracts by filter, sort and page.',
  permission: ['contract:read', 'contract:approve'],
  query: Paged({
    state: Type.Optional(
      Type.String({
        pattern: `^${STATE}(?:,${STATE})*$`,
        description: `one or more of ${CONTRACT_STATES.join(', ')}, separated by commas`,
      }),
    ),
    partyId: Type.Optional(Id),
    partnerId: Type.Optional(Id),
    type: Type.Optional(OneOf(CONTRACT_TYPES)),
    preparedBy: Type.Optional(Text(255, { description: 'user name or person id of a preparer' })),
    'createdAt[gte]': Type.Optional(Instant),
    'createdAt[lt]': Type.Optional(Instant),
    q: Type.Optional(
      Text(200, { description: 'number, external reference, party name, serial number; prefix' }),
    ),
    sort: Type.Optional(OneOf(SORTS, { default: DEFAULT_SORT })),
  }),
  reply: Page(Contract),

  async run({ read, caller, query, page, calendar }) {
    const order = orderOf(query.sort ?? DEFAULT_SORT)
    requireSortPosition(page, order.key)
    const contracts = await contractsOf(
      read,
      caller,
      {
        ...(query.state !== undefined && { states: query.state.split(',') }),
        partyId: query.partyId,
        partnerId: query.partnerId,
        type: query.type,
        preparedBy: query.preparedBy,
        createdFrom: instantIn('createdAt[gte]', query['createdAt[gte]']),
        createdBefore: instantIn('createdAt[lt]', query['createdAt[lt]']),
        q: query.q,
      },
      order,
      page,
    )
    const today = calendar.today()
    return pageOf(contracts, page, positionOf(order.key), (contract) =>
      contractView(contract, caller, today),
    )
  },
})

const DAY_OR_INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/

/** RFC 3339 with its zone; a day means its beginning in UTC. */
function instantIn(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const day = DAY_OR_INSTANT.exec(text)?.[1]
  if (day !== undefined && readDate(day).ok) return new Date(text).toISOString()
  const detail = `"${name}" must be an instant such as 2026-11-30T12:00:00Z or a date.`
  throw httpErrors.VALIDATION_FAILED(detail, {
    errors: [{ pointer: `/query/${name}`, code: 'WRONG_FORMAT', detail }],
  })
}
