import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newDataDir } from '../../cli/test/data-dir.ts'
import { spawnTfs, type TfsProcess } from '../../cli/test/tfs-process.ts'
import { type Client, clientOf } from '../../server/test/client.ts'
import { freePort } from '../../server/test/free-port.ts'
import { borrowKeycloak } from './borrowed-keycloak.ts'
import { obstaclesOf, startPlatform } from './platform.ts'
import type { Keycloak } from './server.ts'
import { foreignServer } from './settings.ts'
import { accessTokenOf } from './tokens.ts'

interface Actionable {
  readonly actions: readonly { readonly name: string; readonly allowed: boolean }[]
}

function mayApprove({ actions }: Actionable): boolean {
  return actions.some(({ name, allowed }) => name === 'approve' && allowed)
}

let keycloak: Keycloak

beforeAll(async () => {
  keycloak = await borrowKeycloak('demo')
})

afterAll(async () => {
  await keycloak?.close()
})

describe('`tfs start` with OIDC_ISSUER, as the how-to says', () => {
  let folder: string
  let program: TfsProcess
  let baseUrl: string

  beforeAll(async () => {
    folder = await newDataDir()
    program = spawnTfs(['start'], await settings(), folder)
    const [, url] = await program.says(/API\s+(http:\/\/localhost:\d+)\/api\/v1/)
    baseUrl = url as string
  })

  afterAll(async () => {
    await program?.end()
    await rm(folder, { recursive: true, force: true })
  })

  async function settings() {
    return {
      OIDC_ISSUER: keycloak.issuer,
      AUTH_PORT: String(await freePort()),
      PORT: String(await freePort()),
      METRICS_PORT: String(await freePort()),
      TFS_DATA_DIR: folder,
    }
  }

  async function as(username: string): Promise<Client> {
    const token = await accessTokenOf(keycloak, username)
    return clientOf(baseUrl, { authorization: `Bearer ${token}` })
  }

  test('starts no provider of its own and says where callers sign in', async () => {
    expect(program.stdout()).toContain('OIDC_ISSUER')
    expect(program.stdout()).not.toContain('password equal to the name')
    expect(await obstaclesOf(clientOf(baseUrl, {}))).toEqual([])
  })

  test('a demo contract of preparer is approved by approver, chief’s own is 409 for chief', async () => {
    const approver = await as('approver')
    const waiting = '/contracts?state=PENDING_APPROVAL&limit=200'
    const { body } = await approver.get(`${waiting}&preparedBy=preparer`)
    const { id } = body.items.find((one: Actionable) => mayApprove(one))
    const approved = await approver.post(`/contracts/${id}/approve`)
    expect([approved.status, approved.body.state]).toEqual([200, 'APPROVED'])

    const chief = await as('chief')
    const own = (await chief.get(`${waiting}&preparedBy=chief`)).body.items[0]
    const refused = await chief.post(`/contracts/${own.id}/approve`)
    expect([refused.status, refused.code]).toEqual([409, 'FOUR_EYES_SAME_USER'])
  })
})

// A server of somebody else's may be set up otherwise.
describe.skipIf(foreignServer() !== undefined)('OIDC_DISCOVERY_URL on another address', () => {
  test('200: keys come from the inner address, the issuer stays the public one (spec 5.1.3)', async () => {
    const inner = keycloak.issuer.replace('localhost', '127.0.0.1')
    const env = { OIDC_DISCOVERY_URL: `${inner}/.well-known/openid-configuration` }
    const platform = await startPlatform(keycloak, { env, demo: false })
    try {
      expect(await obstaclesOf(platform.stranger)).toEqual([])
      const { status, body } = await (await platform.as('chief')).get('/me')
      expect(status).toBe(200)
      expect(body.subject.startsWith(`${keycloak.issuer}#`)).toBe(true)
    } finally {
      await platform.close()
    }
  })
})
