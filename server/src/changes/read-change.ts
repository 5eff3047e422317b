import { query, type Route } from '../http/route.ts'
import { Change } from './change.ts'
import { ChangeParams } from './change-params.ts'
import type { ChangeResource } from './resource.ts'
import { changeOfItem } from './store.ts'
import { changeView } from './view.ts'

export function readChangeOf(resource: ChangeResource): Route {
  const { path, itemParam, itemKind } = resource
  return query({
    id: `read${resource.name}Change`,
    surface: 'operations',
    path: `${path}/:${itemParam}/changes/:change_id`,
    summary: `Read one change of a ${itemKind}, with what it changes.`,
    permission: resource.readPermission,
    params: ChangeParams(itemParam),
    reply: Change,
    // Who looked at bank data is known: the decider reads them here, whole.
    accessed: ({ id, itemId }) =>
      itemKind === 'contract' ? undefined : { kind: 'change', id, partyId: itemId },

    async run({ read, caller, params }) {
      const item = await resource.readItem(read, params[itemParam] as string)
      const change = await changeOfItem(read, itemKind, item.id, params['change_id'] as string)
      return changeView(change, resource, caller, 'WHOLE_FOR_THE_DECIDER')
    },
  })
}
