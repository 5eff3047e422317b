import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { triedInOrder } from '../../test/change-rows.ts'
import { proposed, staff } from '../../test/change-stories.ts'
import type { Client } from '../../test/client.ts'
import { developer, forced, partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { everyPermission } from '../../test/walk.ts'
import type { Caller } from '../access/caller.ts'
import { seenCallersOf } from '../changes/index.ts'
import { type Statement, sql } from '../storage/sql.ts'

const HOUR_MS = 60 * 60_000

describe.each(STORE_KINDS)('who could decide, as far as they were seen, on %s', (store) => {
  let host: Host
  let partnerId: string
  let contract: string
  let now = Date.now()
  let see: (caller: Caller) => void
  const warnings: unknown[] = []
  beforeAll(async () => {
    host = await startHost({ store })
    partnerId = await partnerNamed(host.db, 'SEEN')
    const log = { debug() {}, info() {}, error() {}, warn: (told: object) => warnings.push(told) }
    see = seenCallersOf(host.db, () => now, log)
    const partyId = await createParty(staff(host, 'paul'))
    contract = await createContract(staff(host, 'paul'), newContract(partyId, { partnerId }))
  })
  afterAll(() => host.close())

  const caller = (username: string, permissions: string[], more: Partial<Caller> = {}): Caller => ({
    ...{ ...developer(username), human: true, mode: 'developer' },
    permissions: new Set(permissions),
    ...more,
  })
  const toldTo = async (client: Client, id = contract) => {
    const { body } = await succeeded(client.get('/approvals?limit=200'))
    return body.items.find((item: { id: string }) => item.id === id).canDecide
  }
  /** Noted beside the request: it takes a moment. */
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    for (let n = 0; n < 200 && !(await isSo()); n++) await new Promise((go) => setTimeout(go, 20))
  }
  const seenIs = (count: number) =>
    until(async () => (await toldTo(staff(host, 'ana'))).seen30Days === count)

  test('0 while nobody was seen, and the preparer is told so (platform 4)', async () => {
    expect(await toldTo(staff(host, 'ana'))).toEqual({ seen30Days: 0, usernames: [] })
  })

  test('people with the permission are counted and named; preparers, machines and linked callers not', async () => {
    see(caller('paul', ['contract:approve']))
    see(caller('PAUL', ['contract:approve'], { subject: 'other#paul' }))
    see(caller('service-account-x', ['contract:approve'], { human: false }))
    see(caller('dora', ['contract:approve'], { partnerId }))
    see(caller('clara', ['contract:approve'], { partyId: 'pty_x' }))
    see(caller('rita', ['contract:read', 'party:approve']))
    see(caller('zoe', ['contract:approve']))
    see(caller('ben', [...everyPermission]))
    await seenIs(2)
    expect(await toldTo(staff(host, 'ana'))).toEqual({ seen30Days: 2, usernames: ['ben', 'zoe'] })
  })

  test('partner staff and customers get the number, not the names (platform 4)', async () => {
    const dealer = host.as('dora', { permissions: everyPermission, partnerId })
    expect(await toldTo(dealer)).toEqual({ seen30Days: 2 })
  })

  test('each kind of item counts those who may decide it', async () => {
    const party = await proposed(host, 'PARTY')
    const partner = await proposed(host, 'PARTNER')
    expect(await toldTo(staff(host, 'ana'), party.id)).toMatchObject({ usernames: ['ben', 'rita'] })
    expect(await toldTo(staff(host, 'ana'), partner.id)).toMatchObject({ usernames: ['ben'] })
  })

  test('after 30 days they are forgotten; seen again they count again', async () => {
    const age = (days: number) =>
      forced(
        host.store,
        'caller_seen',
        `update caller_seen set seen_at = now() - interval '${days} days' where username = 'zoe'`,
      )
    await age(29)
    expect((await toldTo(staff(host, 'ana'))).seen30Days).toBe(2)
    await age(31)
    expect((await toldTo(staff(host, 'ana'))).usernames).toEqual(['ben'])
    see(caller('zoe', ['contract:approve']))
    await new Promise((go) => setTimeout(go, 100))
    expect((await toldTo(staff(host, 'ana'))).seen30Days, 'noted about once an hour').toBe(1)
    now += HOUR_MS + 1
    see(caller('zoe', ['contract:approve']))
    await seenIs(2)
    expect((await toldTo(staff(host, 'ana'))).usernames).toEqual(['ben', 'zoe'])
  })

  test('everyone writes the own row alone, by the database’s word (rule 16)', async () => {
    const tried = (statement: Statement) => triedInOrder(host.store, developer('eva'), [statement])
    const row = (subject: string) => sql`
      insert into caller_seen (subject, username, person_keys, permissions, is_human)
      values (${subject}, 'x', '{}', '{contract:approve}', true)`
    expect(await tried(row('dev:eva'))).toBe(1)
    expect(await tried(row('dev:other'))).toMatchObject({ sqlState: '42501' })
    expect(await tried(sql`update caller_seen set permissions = '{}'`)).toBe(0)
    expect(await tried(sql`delete from caller_seen`)).toMatchObject({ sqlState: '42501' })
  })

  test('who lost the permission is not counted from the next request on', async () => {
    see(caller('zoe', ['contract:read']))
    await seenIs(1)
    expect((await toldTo(staff(host, 'ana'))).usernames).toEqual(['ben'])
    expect(warnings).toEqual([])
  })
})

test('that somebody could not be noted is logged, and tried again with the next request', async () => {
  const told: string[] = []
  const log = {
    debug() {},
    info() {},
    error() {},
    warn: (_: object, text: string) => told.push(text),
  }
  let tries = 0
  const db = {
    write: () => {
      tries += 1
      return Promise.reject(new Error('away'))
    },
  }
  const see = seenCallersOf(db as never, () => 0, log)
  const ana = {
    ...developer('ana'),
    human: true,
    mode: 'developer',
    permissions: new Set<string>(),
  }
  for (let n = 0; n < 2; n++) {
    see(ana as Caller)
    await new Promise((go) => setTimeout(go, 0))
  }
  expect(tries).toBe(2)
  expect(told).toEqual(Array(2).fill('who was here could not be noted'))
})
