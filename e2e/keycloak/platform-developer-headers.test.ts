import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../server/test/problems.ts'
import { borrowKeycloak } from './borrowed-keycloak.ts'
import { type Platform, startPlatform } from './platform.ts'
import type { Keycloak } from './server.ts'
import { accessTokenOf } from './tokens.ts'

const HEADERS = ['x-dev-user', 'x-dev-permissions', 'x-dev-party', 'x-dev-partner']
const PATHS = ['/me', '/contracts', '/my/contracts', '/nowhere', '/x/%zz', '/healthz', '/docs/']

let keycloak: Keycloak
let platform: Platform
let token: string

beforeAll(async () => {
  keycloak = await borrowKeycloak('demo')
  platform = await startPlatform(keycloak)
  token = await accessTokenOf(keycloak, 'chief')
})

afterAll(async () => {
  await platform?.close()
  await keycloak?.close()
})

describe.each(HEADERS)('400 MSG-G-12 for %s', (name) => {
  test('beside a real token, on both surfaces and every other path (spec 5.6.1, spec 5.6.2, spec 5.6.4)', async () => {
    for (const path of PATHS) {
      for (const value of ['chief', '']) {
        const answer = await platform.bearing(token).get(path, { [name]: value })
        expectProblem(answer, 400, 'MSG-G-12', `${path} ${JSON.stringify(value)}`)
      }
    }
  })

  test('beside a bad token and beside none: the header is what is wrong (spec 5.6.4)', async () => {
    expectProblem(await platform.bearing('x').get('/me', { [name]: 'x' }), 400, 'MSG-G-12')
    expectProblem(await platform.stranger.get('/me', { [name]: 'x' }), 400, 'MSG-G-12')
  })

  test('on a command, which changes nothing', async () => {
    const chief = platform.bearing(token)
    const { body } = await chief.get('/contracts?state=PENDING_APPROVAL&limit=1')
    const [{ id, version }] = body.items
    const answer = await chief.post(`/contracts/${id}/approve`, undefined, { [name]: 'x' })
    expectProblem(answer, 400, 'MSG-G-12')
    expect((await chief.get(`/contracts/${id}`)).body).toMatchObject({
      state: 'PENDING_APPROVAL',
      version,
    })
  })
})

test('401 without a token, whatever the path; with one 200 (spec 5.6.5)', async () => {
  for (const path of ['/me', '/contracts', '/my/contracts', '/nowhere']) {
    const answer = await platform.stranger.get(path)
    expectProblem(answer, 401, 'UNAUTHENTICATED', path)
    expect(answer.headers.get('www-authenticate'), path).toBe('Bearer realm="tfs"')
  }
  expect((await platform.bearing(token).get('/me')).status).toBe(200)
})
