import type { FastifyReply, FastifyRequest } from 'fastify'
import { didYouMean } from './did-you-mean.ts'
import { httpErrors } from './errors.ts'
import type { Kernel } from './kernel.ts'
import { instanceOf } from './problem.ts'
import { API_PREFIX, type Route } from './route.ts'

/** An unknown path under the API: 401 without identity, then 405 or 404 with the right call. */
export function unknownPath(kernel: Kernel, routes: readonly Route[]) {
  const methodsOf = methodsByPath(routes)
  return async (request: FastifyRequest, _reply: FastifyReply) => {
    const path = instanceOf(request.raw.url)
    const isApi = path === API_PREFIX || path.startsWith(`${API_PREFIX}/`)
    if (isApi) {
      request.caller = await kernel.identify(request.raw)
      kernel.limitReads(request.caller.subject)
    }
    const methods = methodsOf(path)
    if (methods.length > 0) {
      throw httpErrors.METHOD_NOT_ALLOWED(
        `${request.method} is not allowed on this path; it has ${methods.join(', ')}.`,
        { allowedMethods: methods },
        { allow: methods.join(', ') },
      )
    }
    const near = isApi ? nearestPath(path, routes) : undefined
    throw httpErrors.NOT_FOUND(
      near === undefined
        ? 'There is nothing at this path.'
        : `There is nothing at this path. Did you mean ${near}?`,
    )
  }
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

function nearestPath(path: string, routes: readonly Route[]): string | undefined {
  const written = new Map(
    routes.map((route) => [
      API_PREFIX + route.path.replace(/:([^/]+)/g, '{$1}'),
      `${route.method} ${API_PREFIX}${route.path.replace(/:([^/]+)/g, '{$1}')}`,
    ]),
  )
  const trimmed = path.replace(/\/+/g, '/').replace(/\/$/, '')
  const near = didYouMean(trimmed, written.keys()) ?? sameShape(trimmed, written.keys())
  return near === undefined ? undefined : written.get(near)
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
