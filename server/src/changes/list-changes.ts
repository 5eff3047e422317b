import { Type } from 'typebox'
import { Page, Paged, pageOf, requireInstantPosition } from '../http/paging.ts'
import { query, type Route } from '../http/route.ts'
import { Change } from './change.ts'
import type { ChangeResource } from './resource.ts'
import { changesOfItem } from './store.ts'
import { changeView } from './view.ts'

export function listChangesOf(resource: ChangeResource): Route {
  const { path, itemParam, itemKind } = resource
  return query({
    id: `list${resource.name}Changes`,
    surface: 'operations',
    path: `${path}/:${itemParam}/changes`,
    summary: `List the changes of a ${itemKind}, newest first.`,
    permission: resource.readPermission,
    params: Type.Object({ [itemParam]: Type.String() }),
    query: Paged({}),
    reply: Page(Change),

    async run({ read, caller, params, page }) {
      requireInstantPosition(page)
      const item = await resource.readItem(read, params[itemParam] as string)
      const changes = await changesOfItem(read, itemKind, item.id, page)
      return pageOf(
        changes,
        page,
        (change) => [change.createdAt, change.id],
        (change) => changeView(change, resource, caller),
      )
    },
  })
}
