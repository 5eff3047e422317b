import type { Caller } from '../access/caller.ts'
import { partyScopeOf, scopeOf } from '../access/scope.ts'
import type { Scope } from '../storage/scope.ts'
import type { Route } from './route.ts'

/** Which rows exist for this caller on this route. */
export function scopeFor(route: Route, caller: Caller): Scope {
  return route.surface === 'customer' ? partyScopeOf(caller) : scopeOf(caller)
}
