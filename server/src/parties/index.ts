import type { Route } from '../http/route.ts'
import { createParty } from './create-party.ts'
import { listParties } from './list-parties.ts'
import { readParty } from './read-party.ts'

export { NewParty } from './party.ts'
export { partyPermissions } from './permissions.ts'
export { insertParty, partyForContract, partyNamed } from './store.ts'

export const partyRoutes: readonly Route[] = [createParty, listParties, readParty]
