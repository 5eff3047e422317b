import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { isPermitted } from '../access/permissions.ts'
import { isScoped, requirePartnerOfStaff, requireParty } from '../access/scope.ts'
import { requireNone } from '../base/errors.ts'
import { commandRefusal, permissionRefusal, scopedRefusal } from './action.ts'
import type { Kernel } from './kernel.ts'
import { IDENTITY_ONLY, type Route } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    matched: Route | null
  }
}

/** Order of checks 4 to 6, before a byte of the body is read. */
export function admissionOf(route: Route, kernel: Kernel) {
  const limit = route.kind === 'query' ? kernel.limitReads : kernel.limitWrites

  function admit(request: FastifyRequest, caller: Caller): void {
    request.caller = caller
    limit(caller.subject)
    requireAdmitted(route, caller)
    kernel.noteSeen?.(caller)
  }

  return (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    request.matched = route
    try {
      const caller = kernel.identify(request.raw)
      if (caller instanceof Promise) {
        caller.then((known) => admit(request, known)).then(() => done(), done)
        return
      }
      admit(request, caller)
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }
}

/** A decision per route and caller: permission, kind of session, links that the surface needs. */
export function requireAdmitted(route: Route, caller: Caller): void {
  const { permission } = route
  if (permission !== IDENTITY_ONLY) {
    if (route.kind === 'command') requireNone(commandRefusal(caller, permission, route.fourEyes))
    else if (!isPermitted(caller.permissions, permission))
      requireNone(permissionRefusal(permission))
    if (route.unscopedOnly && isScoped(caller)) requireNone(scopedRefusal(permission))
  }
  requirePartnerOfStaff(caller)
  if (route.surface === 'customer') requireParty(caller)
}
