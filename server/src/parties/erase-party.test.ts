import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entriesOf, proposed, reason, staff } from '../../test/change-stories.ts'
import { contractIn, partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { expectRefusal } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, newPerson } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests, withoutPolicies } from '../../test/table-digest.ts'
import { foundIn } from '../../test/table-texts.ts'
import { everyPermission } from '../../test/walk.ts'

/** Unique words for every value that belongs to a person, so that each can be looked for everywhere. */
const MARKS = {
  names: ['Zarafina', 'Quellwasser', 'Umgezogen'],
  contact: ['zq-mail@example.org', 'zq-new@example.org', '+4930998877', '+4930998866'],
  address: ['Zauberweg 77', 'Hinterhaus ZQ', 'Zetstadt', '99Z99', 'Neuweg 5Z'],
  bank: ['DE02120300000000202051', 'AT611904300234573201', 'Zett Holder', 'Yps Holder'],
  more: ['1971-07-17', 'ZQ-REF-1', 'Blocked for zq reasons'],
}
const WORDS = Object.values(MARKS).flat()

describe.each(STORE_KINDS)('eraseParty on %s', (store) => {
  let host: Host
  let count = 0
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  const paul = () => staff(host, 'paul')
  const ana = () => staff(host, 'ana')
  const fresh = () => createParty(paul(), newPerson(`Gone ${++count}`))

  /** A life that leaves traces in every table that takes them. */
  async function markedLife(): Promise<string> {
    const decided = async (asked: { body: { id: string; itemId: string } }, move = 'approve') =>
      succeeded(
        ana().post(
          `/parties/${asked.body.itemId}/changes/${asked.body.id}/${move}`,
          move === 'approve' ? undefined : reason,
        ),
      )
    const address = {
      ...{ street: 'Zauberweg 77', supplement: 'Hinterhaus ZQ', postalCode: '99Z99' },
      ...{ city: 'Zetstadt', country: 'DE' },
    }
    const { body } = await succeeded(
      paul().post('/parties', {
        type: 'PERSON',
        person: { firstName: 'Zarafina', lastName: 'Quellwasser', birthDate: '1971-07-17' },
        ...{ email: 'zq-mail@example.org', phone: '+4930998877', address, externalRef: 'ZQ-REF-1' },
        bankAccount: { iban: 'DE02120300000000202051', holder: 'Zett Holder' },
      }),
    )
    const path = `/parties/${body.id}`
    await succeeded(ana().post(`${path}/changes/${body.pendingChanges[0].id}/approve`))
    const patch = (document: object) => succeeded(paul().patch(path, document, { 'if-match': '*' }))
    await decided(await patch({ email: 'zq-new@example.org', person: { lastName: 'Umgezogen' } }))
    await decided(await patch({ phone: '+4930998866' }), 'reject')
    const customer = host.as('zq', { permissions: ['my:request'], partyId: body.id })
    const bankAccount = { iban: 'AT611904300234573201', holder: 'Yps Holder' }
    const wish = { kind: 'BANK_ACCOUNT', bankAccount }
    const wished = await succeeded(customer.post('/my/requests', wish))
    await succeeded(paul().post(`/requests/${wished.body.id}/decline`, reason))
    const moved = { ...address, street: 'Neuweg 5Z' }
    await succeeded(customer.post('/my/requests', { kind: 'ADDRESS', address: moved }))
    const contract = await createContract(paul(), newContract(body.id))
    await succeeded(paul().post(`/contracts/${contract}/withdraw`, reason))
    await succeeded(paul().post(`${path}/block`, { reason: 'Blocked for zq reasons' }))
    return path
  }

  test('what belonged to a person is nowhere afterwards; the story stays, its chain unchanged (platform 4, platform 9)', async () => {
    const path = await markedLife()
    const id = path.split('/')[2] as string
    const before = await foundIn(host.store, WORDS)
    for (const table of ['party', 'change', 'request', 'audit_personal_value'])
      expect(before.join(), table).toContain(`${table}: `)
    const trail = () =>
      withoutPolicies(host.store, async (session) => {
        const { rows } = await session.query(
          `select ordinal, md5(e::text) as digest from audit_entry e order by ordinal`,
          [],
        )
        return rows as { ordinal: number; digest: string }[]
      })
    const entries = await trail()

    const asked = await succeeded(paul().post(`${path}/erase`, { reason: 'Asked for.' }))
    expect(asked.status).toBe(202)
    expect(asked.body).toMatchObject({
      ...{ kind: 'ERASURE', state: 'PENDING' },
      diff: [{ pointer: '/state', before: 'BLOCKED', after: 'ERASED' }],
    })
    await succeeded(ana().post(`${path}/changes/${asked.body.id}/approve`))

    // What a person said of their own reasons in free text is not a value of the party.
    const free = ['Blocked for zq reasons']
    const left = (await foundIn(host.store, WORDS)).filter(
      (each) => !free.some((text) => each === `audit_entry: ${text}`),
    )
    expect(left).toEqual([])
    expect((await trail()).slice(0, entries.length)).toEqual(entries)
    const { body } = await succeeded(paul().get(path))
    expect(body).toMatchObject({
      ...{ id, state: 'ERASED', displayName: '–', person: { firstName: '–', lastName: '–' } },
    })
    for (const gone of ['email', 'phone', 'address', 'bankAccount', 'language', 'externalRef'])
      expect(body).not.toHaveProperty(gone)
    const changes = await succeeded(paul().get(`${path}/changes`))
    expect(changes.body.items.map((each: { state: string }) => each.state)).toEqual([
      ...['APPROVED', 'REJECTED', 'APPROVED', 'APPROVED'],
    ])
    expect(changes.body.items[2].diff).toContainEqual({
      ...{ pointer: '/email', before: null, after: null },
    })
    const audit = await succeeded(host.as('aud', 'audit:read').get(`/audit?itemId=${id}`))
    expect(audit.text).toContain('"erased"')
    for (const word of WORDS)
      expect(audit.text.replaceAll(free[0] as string, '')).not.toContain(word)
    expect((await entriesOf(host.db, id)).at(-1)).toMatchObject({ action: 'party.erased' })
    expect((await paul().get('/requests')).text).not.toContain('Neuweg')
  })

  test('422 PARTY_HAS_LIVE_CONTRACTS names them, when asked for and when approved (platform 4)', async () => {
    const id = await fresh()
    for (const state of ['REJECTED', 'WITHDRAWN', 'SETTLED', 'TERMINATED'] as const)
      await contractIn(host, state, { partyId: id })
    const asked = await succeeded(paul().post(`/parties/${id}/erase`, reason))
    const contract = await succeeded(paul().post('/contracts', newContract(id)))
    const before = await tableDigests(host.store)
    const fault = {
      ...{ pointer: '', code: 'PARTY_HAS_LIVE_CONTRACTS' },
      detail: `The party has live contracts (${contract.body.number}). End or withdraw them first.`,
    }
    const approve = `/parties/${id}/changes/${asked.body.id}/approve`
    expectRefusal(await ana().post(approve), 422, 'RULE_VIOLATED', [fault])
    expect(await tableDigests(host.store)).toEqual(before)
    await succeeded(paul().post(`/parties/${id}/changes/${asked.body.id}/withdraw`, reason))
    const again = await paul().post(`/parties/${id}/erase`, reason)
    expectRefusal(again, 422, 'RULE_VIOLATED', [fault])
    await succeeded(paul().post(`/contracts/${contract.body.id}/withdraw`, reason))
    expect((await paul().post(`/parties/${id}/erase`, reason)).status).toBe(202)
  })

  test('422 for every state in which a contract lives', async () => {
    for (const state of ['DRAFT', 'PENDING_APPROVAL', 'APPROVED', 'ACTIVE', 'RETURNED'] as const) {
      const id = await fresh()
      await contractIn(host, state, { partyId: id })
      expect((await paul().post(`/parties/${id}/erase`, reason)).status, state).toBe(422)
    }
  })

  test('an organisation is erased too, and an erased party stays so', async () => {
    const id = await createParty(paul(), {
      ...{ type: 'ORGANISATION', organisation: { name: 'Zirkus KG', vatId: 'DE987654321' } },
    })
    const asked = await succeeded(paul().post(`/parties/${id}/erase`, reason))
    await succeeded(ana().post(`/parties/${id}/changes/${asked.body.id}/approve`))
    const { body } = await succeeded(paul().get(`/parties/${id}`))
    expect(body).toMatchObject({ state: 'ERASED', organisation: { name: '–' } })
    expect(await foundIn(host.store, ['Zirkus KG', 'DE987654321'])).toEqual([])
    for (const action of ['erase', 'block', 'unblock']) {
      const answer = await paul().post(`/parties/${id}/${action}`, reason)
      expect(answer, action).toMatchObject({ status: 409, code: 'INVALID_STATE' })
    }
  })

  test('403 without party:erase, and for callers who see only some contracts (platform 3)', async () => {
    const others = everyPermission.filter((code) => code !== 'party:erase')
    const id = await fresh()
    const refused = await host.as('eva', ...others).post(`/parties/${id}/erase`, reason)
    expect(refused).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    const partnerId = await partnerNamed(host.db, 'ERASES')
    const dealer = host.as('dora', { permissions: everyPermission, partnerId })
    const own = await createParty(dealer, newPerson(`Gone ${++count}`))
    await createContract(paul(), newContract(own))
    for (const linked of [
      dealer,
      host.as('clara', { permissions: everyPermission, partyId: own }),
    ]) {
      const answer = await linked.post(`/parties/${own}/erase`, reason)
      expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    }
    const { path } = await proposed(host, 'ERASURE', paul(), { partnerId })
    expect((await dealer.post(`${path}/approve`)).code).toBe('PERMISSION_MISSING')
  })
})
