import type { FastifyRequest } from 'fastify'
import type { Problem } from '../base/errors.ts'
import { didYouMean } from './did-you-mean.ts'
import { httpErrors } from './errors.ts'
import type { Kernel } from './kernel.ts'
import { instanceOf } from './problem.ts'
import { API_PREFIX, type Route } from './route.ts'

/**
 * A path that no route serves. Under the API: 401 without identity, then 405 or 404 with the right
 * call. Asked before the body is read: nothing of a stranger is parsed.
 */
export function unknownPath(kernel: Kernel, routes: readonly Route[]) {
  const methodsOf = methodsByPath(routes)
  const nearestTo = nearestPathIn(routes)
  return async (request: FastifyRequest): Promise<Problem> => {
    const path = instanceOf(request.raw.url)
    const isApi = path === API_PREFIX || path.startsWith(`${API_PREFIX}/`)
    const served = methodsOf(path)
    const isOutside = served.length === 0 && isPublic(request, path)
    if (isApi && !isOutside) {
      request.caller = await kernel.identify(request.raw)
      kernel.limitReads(request.caller.subject)
    }
    const methods = isOutside ? ['GET', 'HEAD'] : served
    if (methods.length > 0 && !methods.includes(request.method)) {
      return httpErrors.METHOD_NOT_ALLOWED(
        `${request.method} is not allowed on this path; it has ${methods.join(', ')}.`,
        { allowedMethods: methods },
        { allow: methods.join(', ') },
      )
    }
    const near = isApi ? nearestTo(path, request.method) : undefined
    return httpErrors.NOT_FOUND(
      near === undefined
        ? 'There is nothing at this path.'
        : `There is nothing at this path. Did you mean ${near}?`,
    )
  }
}

/** What is mounted beside the routes: documents, pages, health. Their paths have no parameters. */
function isPublic({ server }: FastifyRequest, path: string): boolean {
  return !path.includes(':') && server.hasRoute({ method: 'GET', url: path })
}

/** `/contracts/` is a near miss of the list, not a contract without a name. */
export function hasEmptyParameter({ params }: FastifyRequest): boolean {
  for (const value of Object.values((params ?? {}) as Record<string, string>)) {
    if (value === '') return true
  }
  return false
}

/** Which methods a concrete path has. */
export function methodsByPath(routes: readonly Route[]): (path: string) => string[] {
  const patterns = routes.map((route) => ({
    route,
    pattern: new RegExp(`^${API_PREFIX}${route.path.replace(/:[^/]+/g, '[^/]+')}$`),
  }))
  return (path) => {
    const methods = new Set<string>()
    for (const { route, pattern } of patterns) {
      if (!pattern.test(path)) continue
      if (route.method === 'GET') methods.add('HEAD')
      methods.add(route.method)
    }
    return [...methods].sort()
  }
}

function nearestPathIn(routes: readonly Route[]) {
  const methodsAt = new Map<string, string[]>()
  for (const route of routes) {
    const path = API_PREFIX + route.path.replace(/:([^/]+)/g, '{$1}')
    methodsAt.set(path, [...(methodsAt.get(path) ?? []), route.method])
  }
  return (path: string, method: string): string | undefined => {
    const trimmed = path.replace(/\/+/g, '/').replace(/\/$/, '')
    const near = didYouMean(trimmed, methodsAt.keys()) ?? sameShape(trimmed, methodsAt.keys())
    if (near === undefined) return undefined
    const methods = methodsAt.get(near) as string[]
    return `${methods.includes(method) ? method : methods[0]} ${near}`
  }
}

/** `/contracts/ctr_1/aprove` is near `/contracts/{id}/approve` once the ids are set aside. */
function sameShape(path: string, candidates: Iterable<string>): string | undefined {
  const parts = path.split('/')
  const shaped = [...candidates].filter((candidate) => candidate.split('/').length === parts.length)
  const filled = new Map(
    shaped.map((candidate) => [
      candidate
        .split('/')
        .map((part, i) => (part.startsWith('{') ? (parts[i] as string) : part))
        .join('/'),
      candidate,
    ]),
  )
  const near = didYouMean(path, filled.keys())
  return near === undefined ? undefined : filled.get(near)
}
