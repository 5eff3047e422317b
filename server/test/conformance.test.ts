import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorsOf } from '../src/http/openapi.ts'
import { API_PREFIX, IDENTITY_ONLY, type Route } from '../src/http/route.ts'
import { allRoutes } from '../src/surfaces.ts'
import type { Client, TestAnswer } from './client.ts'
import { type Host, type HostMode, startHost } from './host.ts'
import { preparedFor } from './prepared-items.ts'
import { STORE_KINDS, type StoreKind } from './stores.ts'
import {
  codesOfRoute,
  everyPermission,
  guardedRoutes,
  leastBodyOf,
  type Parameters,
  permissionsBut,
  targetOf,
  UNKNOWN_ID,
} from './walk.ts'

/** Walks every route of both surfaces: what is added later is covered without a word here. */

const SITUATIONS: readonly (readonly [HostMode, StoreKind])[] = STORE_KINDS.flatMap((store) => [
  ['developer', store] as const,
  ['token', store] as const,
])
const fourEyesRoutes = allRoutes.filter(({ fourEyes }) => fourEyes)
const queries = allRoutes.filter(({ kind }) => kind === 'query')

function send(client: Client, route: Route, given: Partial<Sending> = {}): Promise<TestAnswer> {
  const { parameters, body, method = route.method } = given
  const isEmpty = method === 'GET' || method === 'HEAD' || body === undefined
  return client.send(method, targetOf(route, parameters), isEmpty ? undefined : body)
}

interface Sending {
  readonly parameters: Parameters
  readonly body: unknown
  readonly method: string
}

/** Twice in a row: what a remembered token is told must equal what a new one is told. */
async function sendTwice(client: Client, route: Route, given: Partial<Sending> = {}) {
  const answers = [await send(client, route, given), await send(client, route, given)] as const
  expect(withoutRequestId(answers[1]), `${route.id}, the second time`).toEqual(
    withoutRequestId(answers[0]),
  )
  for (const answer of answers) expectDeclared(route, answer)
  return answers[0]
}

function withoutRequestId({ status, body }: TestAnswer): object {
  const { requestId: _, ...rest } = body ?? {}
  return { status, ...rest }
}

function expectDeclared(route: Route, { status, code }: TestAnswer): void {
  const declared = errorsOf(route).map((kind) => kind.code)
  if (status >= 400 && code !== undefined) expect(declared, route.id).toContain(code)
}

describe('the list of routes', () => {
  test('only readMe and listPermissions need no permission (spec 1.3)', () => {
    const open = allRoutes.filter(({ permission }) => permission === IDENTITY_ONLY)
    expect(open.map(({ id }) => id).sort()).toEqual(['listPermissions', 'readMe'])
    expect(open.every(({ surface }) => surface === 'operations')).toBe(true)
  })

  test('every permission is written <resource>:<action> (spec 5.5.1)', () => {
    for (const route of guardedRoutes)
      for (const code of codesOfRoute(route)) expect(code, route.id).toMatch(/^[a-z]+:[a-z]+$/)
    expect(everyPermission).toEqual(
      expect.arrayContaining(['party:create', 'contract:approve', 'report:prepare']),
    )
  })

  test('every operation carries the name of its file, and no two share a name', () => {
    const files = readdirSync(join(import.meta.dirname, '../src'), { recursive: true })
    const names = new Set(files.map((file) => basename(String(file))))
    const ids = allRoutes.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    // A family of operations, one per kind of item, leaves the kind out of the name of its file.
    for (const id of ids) {
      const files = [id, id.replace(/Party|Partner|Contract/, '')].map(
        (name) => `${kebab(name)}.ts`,
      )
      expect(
        files.some((file) => names.has(file)),
        `${id} in ${files.join(' or ')}`,
      ).toBe(true)
    }
  })

  test('every path has the prefix /api/v1 and stands once per method (spec 9.1)', () => {
    const addresses = allRoutes.map((route) => `${route.method} ${targetOf(route)}`)
    expect(new Set(addresses).size).toBe(addresses.length)
    expect(addresses.every((address) => address.includes(` ${API_PREFIX}/`))).toBe(true)
  })

  test('both surfaces have routes, the customer one exactly those below /my (spec 1.1, spec 1.4)', () => {
    const customer = allRoutes.filter(({ surface }) => surface === 'customer')
    expect(customer.length).toBeGreaterThan(0)
    expect(customer.length).toBeLessThan(allRoutes.length)
    for (const { id, path, surface } of allRoutes)
      expect(path.startsWith('/my/'), id).toBe(surface === 'customer')
  })

  test('every decision about a prepared item is a four-eyes command (spec 1.2)', () => {
    expect(fourEyesRoutes.map(({ id }) => id)).toContain('approveContract')
    for (const route of allRoutes)
      if (/\/(?:approve|reject|return|activate)$/.test(route.path))
        expect(route.fourEyes, route.id).toBe(true)
  })
})

describe.each(SITUATIONS)('every route in %s mode on %s', (mode, store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ mode, store })
  })
  afterAll(() => host.close())

  test('401 UNAUTHENTICATED without identity, with a challenge that names no error (spec 5.6.5, spec 7.4)', async () => {
    for (const route of allRoutes) {
      for (const method of methodsOf(route)) {
        const answer = await send(host.stranger, route, { method, body: leastBodyOf(route) })
        expect(answer.status, `${method} ${route.id}`).toBe(401)
        expect(answer.headers.get('www-authenticate'), route.id).toBe('Bearer realm="tfs"')
        if (method !== 'HEAD') expect(answer.code, route.id).toBe('UNAUTHENTICATED')
      }
    }
  })

  test('403 PERMISSION_MISSING names the permission to whoever holds all others (spec 5.5.3, spec 7.5)', async () => {
    for (const route of guardedRoutes) {
      const almost = host.as('almost', { permissions: permissionsBut(route), partyId: 'pty_any' })
      const answer = await sendTwice(almost, route, { body: leastBodyOf(route) })
      expect(answer, route.id).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
      expect(codesOfRoute(route), route.id).toContain(answer.body.requiredPermission)
      const head = route.kind === 'query' && (await send(almost, route, { method: 'HEAD' }))
      if (head) expect(head.status, `HEAD ${route.id}`).toBe(403)
    }
  })

  test('each single permission of a route opens it, and HEAD with it (spec 5.5.3)', async () => {
    for (const route of guardedRoutes) {
      for (const code of codesOfRoute(route)) {
        const holder = host.as('holder', {
          permissions: [code],
          ...(route.surface === 'customer' && { partyId: 'pty_any' }),
        })
        // A stream would go on for ever.
        const method = route.streams === undefined ? route.method : 'HEAD'
        const answer = await send(holder, route, { method, body: leastBodyOf(route) })
        expect([401, 403], `${route.id} ${code}`).not.toContain(answer.status)
        expectDeclared(route, answer)
        if (route.kind !== 'query') continue
        const head = await send(holder, route, { method: 'HEAD' })
        expect(head.status, `HEAD ${route.id} ${code}`).toBe(answer.status)
        expect(head.text, route.id).toBe('')
      }
    }
  })

  test('identity alone opens readMe and listPermissions (spec 1.3)', async () => {
    for (const route of allRoutes.filter(({ permission }) => permission === IDENTITY_ONLY))
      expect((await send(host.as('ana'), route)).status, route.id).toBe(200)
  })

  test('409 FOUR_EYES_SAME_USER for the preparer on every four-eyes route (spec 5.5.4, spec 7.1)', async () => {
    for (const route of fourEyesRoutes) {
      const parameters = await preparedFor(route, host, 'paul')
      const given = { parameters, body: leastBodyOf(route) }
      const answer = await sendTwice(host.as('paul', ...codesOfRoute(route)), route, given)
      expect(answer, route.id).toMatchObject({ status: 409, code: 'FOUR_EYES_SAME_USER' })
      expect(answer.body.preparedBy.username, route.id).toBe('paul')
      expect(Date.parse(answer.body.preparedAt), route.id).not.toBeNaN()
      const chief = host.as('paul', ...everyPermission)
      expect((await send(chief, route, given)).code, route.id).toBe('FOUR_EYES_SAME_USER')
      const other = await send(host.as('ana', ...codesOfRoute(route)), route, given)
      expect(other.status, `${route.id} by another`).toBeLessThan(300)
    }
  })

  test('403 PARTY_REQUIRED on the whole customer surface without a party', async () => {
    for (const route of allRoutes.filter(({ surface }) => surface === 'customer')) {
      const answer = await sendTwice(host.as('ana', ...everyPermission), route)
      expect(answer, route.id).toMatchObject({ status: 403, code: 'PARTY_REQUIRED' })
    }
  })

  test('403 PARTNER_REQUIRED on every route for partner staff without a partner', async () => {
    const staff = host.as('dealer', ...everyPermission, 'scope:partner')
    for (const route of allRoutes) {
      const answer = await sendTwice(staff, route, { body: leastBodyOf(route) })
      expect(answer, route.id).toMatchObject({ status: 403, code: 'PARTNER_REQUIRED' })
    }
  })

  test('404, word for word that of an unknown id, for whoever may not see the item (rule 16)', async () => {
    const items = await itemsOf(host)
    const visible = allRoutes.filter(
      ({ path, unscopedOnly }) => path.includes(':') && !unscopedOnly,
    )
    for (const route of visible) {
      const parameters = items[route.path.replace(/^\/my/, '').split('/')[1] as string]
      expect(parameters, `an item of ${route.path}`).toBeDefined()
      for (const link of [{ partnerId: 'ptn_other' }, { partyId: 'pty_other' }]) {
        if (route.fourEyes && 'partyId' in link) continue
        const scoped = host.as('scoped', {
          permissions: everyPermission,
          ...(route.surface === 'customer' && { partyId: 'pty_other' }),
          ...link,
        })
        const body = leastBodyOf(route)
        const foreign = await send(scoped, route, { parameters: parameters as Parameters, body })
        const unknown = await send(scoped, route, { body })
        expect(withoutPath(foreign), route.id).toEqual(withoutPath(unknown))
        expect(foreign.status, `${route.id}: ${foreign.text}`).toBe(404)
      }
    }
  })

  test('403 for callers linked to a party or a partner on every route that spans everyone', async () => {
    for (const route of allRoutes.filter(({ unscopedOnly }) => unscopedOnly)) {
      for (const link of [{ partnerId: 'ptn_any' }, { partyId: 'pty_any' }]) {
        const linked = host.as('linked', { permissions: everyPermission, ...link })
        const answer = await sendTwice(linked, route, { body: leastBodyOf(route) })
        expect(answer, route.id).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
      }
    }
  })

  test('403 for a caller linked to a party on every four-eyes route', async () => {
    for (const route of fourEyesRoutes) {
      const parameters = await preparedFor(route, host, 'paul')
      const customer = host.as('carla', { permissions: everyPermission, partyId: 'pty_any' })
      const answer = await send(customer, route, { parameters, body: leastBodyOf(route) })
      expect(answer, route.id).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    }
  })

  test('404 NOT_FOUND for an unknown id on every route that has one (spec 7.5)', async () => {
    for (const route of allRoutes.filter(({ path }) => path.includes(':'))) {
      const caller = host.as('ana', {
        permissions: everyPermission,
        ...(route.surface === 'customer' && { partyId: 'pty_any' }),
      })
      const answer = await sendTwice(caller, route, { body: leastBodyOf(route) })
      expect(answer, route.id).toMatchObject({ status: 404, code: 'NOT_FOUND' })
      expect(answer.text, route.id).not.toContain(`"${UNKNOWN_ID}"`)
    }
  })
})

/** Someone's items, by the first segment of the paths below which they are found. */
async function itemsOf(host: Host): Promise<Record<string, Parameters>> {
  const items: Record<string, Parameters> = {}
  for (const route of fourEyesRoutes)
    Object.assign(items, {
      [route.path.split('/')[1] as string]: await preparedFor(route, host, 'paul'),
    })
  return items
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function methodsOf(route: Route): readonly string[] {
  return queries.includes(route) ? ['GET', 'HEAD'] : [route.method]
}

/** The address names the id that was asked for; nothing else may. */
function withoutPath({ status, body }: TestAnswer): object {
  const { requestId: _, instance: __, ...rest } = body ?? {}
  return { status, ...rest }
}
