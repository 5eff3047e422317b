import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import {
  createContract,
  createParty,
  newContract,
  newPerson,
  PREPARING,
} from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('readParty on %s', (store) => {
  let host: Host
  let [partyId, partnerId, otherPartner] = ['', '', '']
  beforeAll(async () => {
    host = await startHost({ store })
    partnerId = await partnerNamed(host.db, 'OWN')
    otherPartner = await partnerNamed(host.db, 'OTHER')
    partyId = await createParty(paul(), newPerson('Sommer', { email: 'c@example.org' }))
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const reader = (who: object = {}) => host.as('rita', { permissions: ['party:read'], ...who })

  test('200 with the party, for party:read and for party:approve (spec 5.5.3, spec 2.1)', async () => {
    for (const code of ['party:read', 'party:approve']) {
      const answer = await host.as('rita', code).get(`/parties/${partyId}`)
      expect(answer).toMatchObject({ status: 200, body: { id: partyId, email: 'c@example.org' } })
      expect(answer.headers.get('etag')).toMatch(/^"1\./)
    }
    const answer = await host.as('x', 'party:create', 'contract:read').get(`/parties/${partyId}`)
    expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    expect(answer.body.requiredPermissions).toEqual(['party:read', 'party:approve'])
  })

  test('404 for any string that is no party, with the same body as for a foreign one (rule 16, spec 7.5)', async () => {
    const shown = async (id: string, who: object) => {
      const { body } = await reader(who).get(`/parties/${id}`)
      const { instance: _, requestId: __, ...rest } = body
      return rest
    }
    const unknown = await shown('pty_unknown', {})
    expect(unknown).toMatchObject({ status: 404, detail: 'There is no such party.' })
    for (const id of ['x', '%20', "'%20or%20true", 'x'.repeat(300), partyId.toUpperCase()]) {
      expect(await shown(id, {}), id).toEqual(unknown)
    }
    for (const who of [
      { partnerId },
      { partnerId: otherPartner },
      { partyId: 'pty_x' },
      { partyId, partnerId },
    ]) {
      expect(await shown(partyId, who), JSON.stringify(who)).toEqual(unknown)
    }
  })

  test('200 for partner staff once a contract links the party, and for the party itself', async () => {
    const linked = await createParty(paul(), newPerson('Linked'))
    expect((await reader({ partnerId }).get(`/parties/${linked}`)).status).toBe(404)
    await createContract(paul(), newContract(linked, { partnerId }))
    expect((await reader({ partnerId }).get(`/parties/${linked}`)).status).toBe(200)
    expect((await reader({ partnerId: otherPartner }).get(`/parties/${linked}`)).status).toBe(404)
    expect((await reader({ partyId: linked }).get(`/parties/${linked}`)).status).toBe(200)
    expect((await reader({ partyId: linked, partnerId }).get(`/parties/${linked}`)).status).toBe(
      200,
    )
  })

  test('no answer tells the keys by which people are compared', async () => {
    const { text } = await succeeded(reader().get(`/parties/${partyId}`))
    for (const hidden of ['sub:dev', 'preparers', 'createdByPartner', 'folded']) {
      expect(text).not.toContain(hidden)
    }
  })

  test('400 UNKNOWN_PARAMETER for a parameter that does not exist', async () => {
    const answer = await reader().get(`/parties/${partyId}?expand=contracts`)
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(answer.body.errors[0]).toMatchObject({ pointer: '/query/expand' })
  })
})
