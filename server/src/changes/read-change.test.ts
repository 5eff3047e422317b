import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  changeIn,
  entriesOf,
  IBAN,
  MASKED_IBAN,
  OTHER_IBAN,
  proposed,
  reason,
  staff,
} from '../../test/change-stories.ts'
import type { Client } from '../../test/client.ts'
import { partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests, withoutPolicies } from '../../test/table-digest.ts'
import { everyPermission } from '../../test/walk.ts'
import { allRoutes } from '../surfaces.ts'

describe.each(STORE_KINDS)('reading a change on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  const decider = () => host.as('ana', 'party:approve', 'partner:approve')

  test('the whole IBAN for the one who can decide, in this answer and nowhere else (platform 4)', async () => {
    for (const kind of ['PARTY', 'PARTNER'] as const) {
      const { path, itemPath } = await proposed(host, kind)
      const whole = await succeeded(decider().get(path))
      expect(whole.body.diff).toContainEqual({
        ...{ pointer: '/bankAccount/iban', before: null, after: IBAN },
      })
      const others: Readonly<Record<string, Client>> = {
        'the proposer, who may approve others’': staff(host, 'paul'),
        'a namesake': host.as('PAUL', ...everyPermission),
        'a reader': host.as('rita', 'party:read', 'partner:read'),
        'another preparer': host.as('eva', 'party:read', 'party:update', 'partner:read'),
        'a service account': host.as('service-account-x', ...everyPermission),
      }
      for (const [name, client] of Object.entries(others)) {
        const { body, text } = await succeeded(client.get(path))
        expect(text, name).not.toContain(IBAN)
        expect(body.diff, name).toContainEqual({
          ...{ pointer: '/bankAccount/iban', before: null, after: MASKED_IBAN },
        })
      }
      for (const address of [
        `${itemPath}/changes`,
        itemPath,
        itemPath.replace(/\/[^/]+$/, ''),
        '/approvals',
        '/approvals?view=mine',
      ]) {
        for (const client of [staff(host, 'ana'), staff(host, 'paul')]) {
          const { text } = await succeeded(client.get(address))
          expect(text, address).not.toContain(IBAN)
        }
      }
    }
  })

  test('masked for everyone once it is decided, withdrawn, or only tried (platform 4)', async () => {
    const dry = await proposed(host, 'PARTY')
    for (const [move, body] of [
      ['approve', undefined],
      ['reject', reason],
      ['withdraw', reason],
    ] as const) {
      const { text } = await succeeded(
        staff(host, 'ana').post(`${dry.path}/${move}?dryRun=true`, body),
      )
      expect(text, move).not.toContain(IBAN)
    }
    for (const situation of ['APPROVED', 'REJECTED', 'WITHDRAWN'] as const) {
      const { path } = await changeIn(host, 'PARTY', situation)
      const { text } = await succeeded(staff(host, 'ben').get(path))
      expect(text, situation).not.toContain(IBAN)
      expect(text, situation).toContain(MASKED_IBAN)
    }
  })

  test('neither the audit trail nor the log tells the IBAN (platform 4, platform 9)', async () => {
    const story = await changeIn(host, 'PARTY', 'APPROVED')
    const entries = await entriesOf(host.db, story.id, story.itemId)
    expect(entries.map(({ action }) => action)).toContain('party.changed')
    expect(JSON.stringify(entries)).not.toContain(IBAN)
    const audit = host.as('audrey', 'audit:read')
    const told = await succeeded(audit.get(`/audit?itemId=${story.itemId}`))
    expect(told.text).toContain(MASKED_IBAN)
    expect(told.text).not.toContain(IBAN)
    expect(host.logLines.join('\n')).not.toContain(IBAN)
    const kept = await withoutPolicies(host.store, async (session) => {
      const { rows } = await session.query('select value::text from audit_personal_value', [])
      return JSON.stringify(rows)
    })
    expect(kept).not.toContain(IBAN)
  })

  test('the one account is shown beside the other: before and after (platform 4)', async () => {
    const { itemPath } = await changeIn(host, 'PARTY', 'APPROVED')
    const { body } = await succeeded(
      staff(host, 'paul').patch(
        itemPath,
        { bankAccount: { iban: OTHER_IBAN, holder: 'Clara Sommer' } },
        { 'if-match': '*' },
      ),
    )
    expect(body.diff).toEqual([
      { pointer: '/bankAccount/iban', before: MASKED_IBAN, after: 'GB82**************5432' },
    ])
    const whole = await succeeded(decider().get(`${itemPath}/changes/${body.id}`))
    expect(whole.body.diff).toEqual([
      { pointer: '/bankAccount/iban', before: IBAN, after: OTHER_IBAN },
    ])
  })

  test('masked for partner staff and the customer, who decide nothing about it (platform 3)', async () => {
    const partnerId = await partnerNamed(host.db, 'READS')
    const { path, itemId } = await proposed(host, 'PARTY', staff(host, 'paul'), { partnerId })
    const customer = host.as('clara', { permissions: everyPermission, partyId: itemId })
    const seen = await succeeded(customer.get(path))
    expect(seen.text).not.toContain(IBAN)
    expect(seen.text).toContain(MASKED_IBAN)
    const own = await proposed(host, 'PARTNER')
    const dealer = host.as('dora', { permissions: everyPermission, partnerId: own.itemId })
    expect((await succeeded(dealer.get(own.path))).text).not.toContain(IBAN)
  })

  test('200 with x:read and x:approve, 403 with neither (platform 3)', async () => {
    const { path } = await proposed(host, 'PARTY')
    for (const code of ['party:read', 'party:approve'])
      expect((await host.as('rita', code).get(path)).status, code).toBe(200)
    const refused = await host.as('rita', 'party:update', 'contract:read').get(path)
    expect(refused).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
  })

  test('reading changes nothing, and 304 for who has it already', async () => {
    const { path } = await proposed(host, 'AMENDMENT')
    const before = await tableDigests(host.store)
    const first = await staff(host, 'ana').get(path)
    const etag = first.headers.get('etag') as string
    expect(etag).toMatch(/^"1\./)
    expect((await staff(host, 'ana').get(path, { 'if-none-match': etag })).status).toBe(304)
    expect(await tableDigests(host.store)).toEqual(before)
  })
})

test('who read a change of a party or partner goes to the access log (platform 4, platform 9)', () => {
  const noted = (id: string) =>
    allRoutes.find((route) => route.id === id)?.accessed?.({ id: 'chg_1', itemId: 'pty_1' })
  expect(noted('readPartyChange')).toEqual({ kind: 'change', id: 'chg_1', partyId: 'pty_1' })
  expect(noted('readPartnerChange')).toEqual({ kind: 'change', id: 'chg_1', partyId: 'pty_1' })
  expect(noted('readContractChange')).toBeUndefined()
})
