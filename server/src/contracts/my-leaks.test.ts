import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAnswer } from '../../test/client.ts'
import { partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, newContract, newPerson } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { shortDigest } from '../base/digest.ts'
import { allRoutes, permissionCatalogue } from '../surfaces.ts'

/** Everything that is the house's or another customer's carries this word. */
const MARK = 'hush'
const COMMISSION = '31337.42'
const STAFF = ['preparer', 'editor', 'submitter', 'returner', 'approver', 'withdrawer'].map(
  (part) => `${MARK}-${part}`,
)
const ALL = Object.keys(permissionCatalogue).filter((code) => code !== 'scope:partner')
const eur = (amount: string) => ({ amount, currency: 'EUR' })

describe.each(STORE_KINDS)('what customers can read on %s', (store) => {
  let host: Host
  let [partyId, otherParty, partnerId] = ['', '', '']
  let contracts: string[] = []
  let hashes: string[] = []

  const staff = (part: string) => host.as(`${MARK}-${part}`, ...ALL)
  const clara = () => host.as('clara', { permissions: ['my:read', 'my:request'], partyId })

  beforeAll(async () => {
    host = await startHost({ store })
    partnerId = await partnerNamed(host.db, MARK)
    partyId = await createParty(
      staff('preparer'),
      newPerson('Sommer', { externalRef: `${MARK}-ref` }),
    )
    otherParty = await createParty(
      staff('preparer'),
      newPerson(`${MARK}son`, { email: `a@${MARK}.org` }),
    )
    contracts = [await story('APPROVED'), await story('WITHDRAWN'), await story('PENDING_APPROVAL')]
    const foreign = await staff('preparer').post('/contracts', newContract(otherParty))
    contracts.push(foreign.body.id)
    hashes = await Promise.all(
      contracts.map(async (id) => {
        const { body } = await succeeded(staff('preparer').get(`/contracts/${id}`))
        return body.approval.contentHash
      }),
    )
  })
  afterAll(() => host.close())

  /** Every internal field filled and every kind of staff at work. */
  async function story(end: 'APPROVED' | 'WITHDRAWN' | 'PENDING_APPROVAL'): Promise<string> {
    const created = await succeeded(
      staff('preparer').post(
        '/contracts',
        newContract(partyId, {
          ...{ partnerId, externalRef: `${MARK}-${end}`, internalNote: `${MARK} note` },
          ...{ commission: eur(COMMISSION), draft: true },
        }),
      ),
    )
    const path = `/contracts/${created.body.id}`
    const reason = { reason: `${MARK} reason` }
    const patch = { internalNote: `${MARK} second note` }
    await succeeded(staff('editor').patch(path, patch, { 'if-match': '*' }))
    await succeeded(staff('submitter').post(`${path}/submit`))
    await succeeded(staff('returner').post(`${path}/return`, reason))
    await succeeded(staff('submitter').post(`${path}/submit`))
    if (end === 'APPROVED') {
      await succeeded(staff('approver').post(`${path}/approve`, { comment: `${MARK} comment` }))
    }
    if (end === 'WITHDRAWN') await succeeded(staff('withdrawer').post(`${path}/withdraw`, reason))
    return created.body.id
  }

  function expectNothingOfTheHouse(answer: TestAnswer, where: string): void {
    const told = `${answer.text} ${JSON.stringify([...answer.headers])}`.toLowerCase()
    // An id that the customer sent itself comes back as `instance`.
    const secrets = [MARK, COMMISSION, partnerId, otherParty, 'sub:dev', ...hashes]
    for (const secret of [...secrets, ...STAFF.map((name) => shortDigest(`dev:${name}`))]) {
      expect(told, `${where} tells ${secret}`).not.toContain(secret.toLowerCase())
    }
  }

  const reads = allRoutes.filter((route) => route.surface === 'customer' && route.method === 'GET')

  test('the markers are where staff read them', async () => {
    const { text } = await staff('preparer').get(`/contracts/${contracts[0]}`)
    for (const told of [`${MARK} second note`, COMMISSION, `${MARK}-editor`, `${MARK} reason`]) {
      expect(text).toContain(told)
    }
    expect(reads.length).toBeGreaterThanOrEqual(2)
  })

  test.each(reads.map((route) => [route.path]))(
    'no note, commission, reason, hash or staff name in any answer of GET %s (spec 4.14)',
    async (path) => {
      let told = 0
      for (const id of [...contracts, 'unknown']) {
        const url = path.replace(/:\w+/g, id)
        for (const query of [
          '',
          '?limit=2',
          '?cursor=x',
          '?sort=number',
          '?from=1&to=2',
          '?version=1',
        ]) {
          const answer = await clara().get(url + query)
          expectNothingOfTheHouse(answer, url + query)
          if (answer.status === 200) told += 1
        }
      }
      expect(told).toBeGreaterThan(0)
    },
  )

  test('no secret in any refusal either: staff routes, wrong methods, bad bodies, near misses', async () => {
    for (const id of contracts) {
      for (const answer of [
        await clara().get(`/contracts/${id}`),
        await clara().get(`/my/contracts/${id}/history`),
        await clara().post(`/my/contracts/${id}`, { internalNote: 'x' }),
        await clara().patch(`/my/contracts/${id}`, { state: 'APPROVED' }),
        await clara().post(`/contracts/${id}/approve`),
        await clara().get('/contracts'),
        await clara().get('/parties'),
        await clara().get(`/my/contract/${id}`),
      ]) {
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expectNothingOfTheHouse(answer, id)
      }
    }
  })
})
