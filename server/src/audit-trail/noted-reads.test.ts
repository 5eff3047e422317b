import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clientOf } from '../../test/client.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { MIGRATIONS, STORE_KINDS, storeOf } from '../../test/stores.ts'
import { type App, createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { StaffAccess } from '../http/kernel.ts'
import { type Listener, listen } from '../http/listener.ts'
import { pendingMigrations } from '../storage/migrate.ts'
import { testLog } from './test/trail.ts'

describe.each(STORE_KINDS)('reads that the access log hears of, on %s', (kind) => {
  const store = storeOf(kind)
  const noted: StaffAccess[] = []
  const counted: string[] = []
  let app: App
  let listener: Listener
  let ids: { party: string; contract: string; partner: string }

  const as = (user: string, permissions: readonly string[], links: Record<string, string> = {}) =>
    clientOf(`http://127.0.0.1:${listener.port}`, {
      'x-dev-user': user,
      'x-dev-permissions': permissions.join(','),
      ...links,
    })
  const READS = ['contract:read', 'party:read']

  beforeAll(async () => {
    app = await createApp({
      config: readConfig(
        { PORT: '0', TFS_RATE_LIMIT_READS: '0', TFS_RATE_LIMIT_WRITES: '0' },
        'serve',
      ),
      db: store.db,
      pendingMigrations: () => pendingMigrations(store.db, MIGRATIONS),
      log: testLog(),
      version: '0.0.0-test',
      noteAccess: (access) => noted.push(access),
      countRefusal: (code) => counted.push(code),
    })
    listener = await listen(['127.0.0.1'], 0, app.handle)
    const chief = as('chief', [...PREPARING, 'partner:create'])
    const partner = await chief.post('/partners', { code: 'P1', name: 'Autohaus', kind: 'DEALER' })
    const dealer = as('dealer', PREPARING, { 'x-dev-partner': partner.body.id })
    const party = await createParty(dealer)
    const contract = await createContract(dealer, newContract(party))
    ids = { party, contract, partner: partner.body.id }
  })
  beforeEach(() => {
    noted.length = 0
    counted.length = 0
  })
  afterAll(async () => {
    app.drain()
    await listener.close(0)
    await app.close()
  })

  test('one party’s and one contract’s details, by staff and by partners (platform 9)', async () => {
    await as('ana', READS).get(`/parties/${ids.party}`, { 'x-request-id': 'request-of-ana' })
    await as('dealer', READS, { 'x-dev-partner': ids.partner }).get(`/contracts/${ids.contract}`)
    expect(noted).toMatchObject([
      {
        item: { kind: 'party', id: ids.party, partyId: ids.party },
        caller: { username: 'ana' },
        routeId: 'readParty',
        requestId: 'request-of-ana',
      },
      {
        item: { kind: 'contract', id: ids.contract, partyId: ids.party },
        caller: { username: 'dealer', partnerId: ids.partner },
        routeId: 'readContract',
      },
    ])
  })

  test('not what customers read of themselves, nor lists, nor what is not there (platform 9)', async () => {
    const customer = as('clara', [...READS, 'my:read'], { 'x-dev-party': ids.party })
    expect((await customer.get(`/my/contracts/${ids.contract}`)).status).toBe(200)
    expect((await customer.get(`/contracts/${ids.contract}`)).status).toBe(200)
    expect((await as('ana', READS).get('/contracts')).status).toBe(200)
    expect((await as('ana', READS).get('/contracts/ctr_none')).status).toBe(404)
    expect((await as('ana', []).get(`/contracts/${ids.contract}`)).status).toBe(403)
    expect(noted).toEqual([])
  })

  test('a stranger is only counted (platform 9)', async () => {
    await clientOf(`http://127.0.0.1:${listener.port}`, {}).get(`/contracts/${ids.contract}`)
    expect(noted).toEqual([])
    expect(counted).toEqual(['UNAUTHENTICATED'])
  })
})
