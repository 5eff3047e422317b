import type { Route } from '../http/route.ts'
import { listEvents } from './list-events.ts'
import { streamEvents } from './stream-events.ts'

export { eventPermissions } from './permissions.ts'

export const eventRoutes: readonly Route[] = [listEvents, streamEvents]
