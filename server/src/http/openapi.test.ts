import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { codesOfRoute } from '../../test/walk.ts'
import { allRoutes } from '../surfaces.ts'
import { errorsOf } from './openapi.ts'
import { API_PREFIX, IDENTITY_ONLY, type Route, type Surface } from './route.ts'

type Json = Record<string, unknown>
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: Json }[]
  readonly responses: Record<
    string,
    { description: string; content?: Record<string, { schema: Json }> }
  >
  readonly requestBody?: { required: boolean; content: Record<string, { schema: Json }> }
  readonly 'x-permission': readonly string[] | null
  readonly 'x-four-eyes': boolean
}
interface Document {
  readonly openapi: string
  readonly info: Record<string, string>
  readonly servers: readonly { url: string }[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { schemas: Json; securitySchemes: Json }
}

const DOCUMENTS: Readonly<Record<Surface, string>> = {
  operations: '/api/v1/openapi.json',
  customer: '/api/v1/my/openapi.json',
}

describe.each(Object.entries(DOCUMENTS) as [Surface, string][])(
  'the OpenAPI document of surface %s',
  (surface, path) => {
    let host: Host
    let document: Document
    const routes = allRoutes.filter((route) => route.surface === surface)
    beforeAll(async () => {
      host = await startHost({ mode: 'token' })
      document = (await host.stranger.get(path)).body
    })
    afterAll(() => host.close())

    const operationOf = (route: Route): Operation =>
      document.paths[API_PREFIX + route.path.replace(/:([^/]+)/g, '{$1}')]?.[
        route.method.toLowerCase()
      ] as Operation

    test('200 for anyone, as OpenAPI 3.1, at the address of this process (spec 1.3)', async () => {
      const answer = await host.stranger.get(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(document.openapi).toMatch(/^3\.1\.\d+$/)
      for (const member of ['title', 'version', 'description'])
        expect(document.info[member]).toMatch(/\S/)
      expect(document.servers).toEqual([{ url: host.baseUrl }])
      expect((await host.stranger.send('HEAD', path)).status).toBe(200)
    })

    test('exactly the operations of the surface, each with its own operationId (spec 1.4)', () => {
      const described = Object.values(document.paths).flatMap((item) => Object.values(item))
      const ids = described.map(({ operationId }) => operationId)
      expect(new Set(ids).size).toBe(ids.length)
      expect([...ids].sort()).toEqual(routes.map(({ id }) => id).sort())
      for (const key of Object.keys(document.paths)) expect(key).toMatch(/^\/api\/v1\//)
    })

    test('every operation says its permission and whether it is four-eyes (spec 1.3, spec 5.5.3)', () => {
      for (const route of routes) {
        const operation = operationOf(route)
        expect(operation, route.id).toMatchObject({
          summary: expect.stringMatching(/\S/),
          'x-four-eyes': route.fourEyes,
        })
        const isOpen = route.permission === IDENTITY_ONLY
        expect(operation['x-permission'], route.id).toEqual(isOpen ? null : codesOfRoute(route))
      }
    })

    test('every operation lists every error it can answer, as a problem (spec 7.3)', () => {
      for (const route of routes) {
        const { responses } = operationOf(route)
        const told = Object.entries(responses).flatMap(([status, { content }]) => {
          const schema = content?.['application/problem+json']?.schema as
            | { allOf?: Json[] }
            | undefined
          const codes = schema?.allOf?.[1] as
            | { properties?: { code?: { enum?: string[] } } }
            | undefined
          return (codes?.properties?.code?.enum ?? []).map((code) => `${status} ${code}`)
        })
        expect(told.sort(), route.id).toEqual(
          errorsOf(route)
            .map(({ status, code }) => `${status} ${code}`)
            .sort(),
        )
        for (const status of ['400', '401', '429', '500', '503'])
          expect(responses[status]?.content, `${route.id} ${status}`).toHaveProperty([
            'application/problem+json',
          ])
        expect(
          Object.keys(responses).some((status) => status.startsWith('2')),
          route.id,
        ).toBe(true)
      }
    })

    test('every path parameter is declared, required and used', () => {
      for (const route of routes) {
        const declared = operationOf(route).parameters.filter(
          (parameter) => parameter.in === 'path',
        )
        const used = [...route.path.matchAll(/:([^/]+)/g)].map(([, name]) => name)
        expect(declared.map(({ name }) => name).sort(), route.id).toEqual([...used].sort())
        for (const parameter of declared) expect(parameter.required, route.id).toBe(true)
        const names = operationOf(route).parameters.map(
          (parameter) => `${parameter.in} ${parameter.name}`,
        )
        expect(new Set(names).size, route.id).toBe(names.length)
      }
    })

    test('commands take dryRun, POST takes Idempotency-Key, developer headers are nowhere', () => {
      for (const route of routes) {
        const names = operationOf(route).parameters.map(
          (parameter) => `${parameter.in} ${parameter.name}`,
        )
        expect(names.includes('query dryRun'), route.id).toBe(route.kind === 'command')
        expect(names.includes('header Idempotency-Key'), route.id).toBe(route.method === 'POST')
      }
      expect(JSON.stringify(document)).not.toMatch(/x-dev-(?:user|permissions|party|partner)"/)
    })

    test('every $ref resolves, and every schema is one', () => {
      let references = 0
      visit(document, (node) => {
        const { $ref } = node
        if (typeof $ref === 'string') {
          references += 1
          expect($ref).toMatch(/^#\//)
          expect(resolved(document, $ref), $ref).toBeDefined()
        }
        const { type } = node
        if (typeof type === 'string' && !('in' in node) && 'properties' in node)
          expect(type).toBe('object')
      })
      expect(references).toBeGreaterThan(0)
    })
  },
)

function visit(node: unknown, look: (node: Json) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) look(node as Json)
  for (const member of Object.values(node)) visit(member, look)
}

function resolved(document: Document, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (node, name) =>
        (node as Json | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    )
}
