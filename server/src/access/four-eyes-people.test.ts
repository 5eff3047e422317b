import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { developer, keysOf, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost, type Who } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { type SecondApp, serveAgain } from '../../test/second-app.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { insertContract, prepareContent } from '../contracts/index.ts'
import { permissionCatalogue } from '../surfaces.ts'
import type { Caller } from './caller.ts'

const DECIDE = ['contract:read', 'contract:approve', 'contract:activate']
const EVERY_PERMISSION = Object.keys(permissionCatalogue).filter((code) => code !== 'scope:partner')
const DECISIONS = ['approve', 'reject', 'return'] as const

describe.each(STORE_KINDS)('the same person decides nothing on %s', (store) => {
  let host: Host
  let second: SecondApp
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store, mode: 'token', env: { OIDC_PERSON_CLAIM: 'employeeNumber' } })
    second = await serveAgain(host, { OIDC_PERSON_CLAIM: 'employeeNumber' })
    partyId = await createParty(host.as('paul', ...PREPARING))
  })
  afterAll(async () => {
    await second.close()
    await host.close()
  })

  const claims = (given: Record<string, unknown>): Who => ({ permissions: DECIDE, claims: given })
  const prepared = (given: Record<string, unknown> = {}) =>
    createContract(host.as('paul', { permissions: PREPARING, claims: given }), newContract(partyId))

  async function expectRefused(client: ReturnType<Host['as']>, id: string): Promise<void> {
    for (const decision of DECISIONS) {
      const body = decision === 'approve' ? undefined : { reason: 'No.' }
      const answer = await client.post(`/contracts/${id}/${decision}`, body)
      expect(answer, `${decision} ${answer.text}`).toMatchObject({
        ...{ status: 409, code: 'FOUR_EYES_SAME_USER' },
      })
    }
    const { body } = await succeeded(client.get(`/contracts/${id}`))
    expect(body.state).toBe('PENDING_APPROVAL')
    const approve = body.actions.find(({ name }: { name: string }) => name === 'approve')
    expect(approve).toMatchObject({ allowed: false, reason: { code: 'FOUR_EYES_SAME_USER' } })
  }

  test.each<[string, string, Record<string, unknown>]>([
    ['another session', 'paul', { sid: 'another-session' }],
    ['another client', 'paul', { azp: 'tfs-cli' }],
    ['another token', 'paul', { jti: 'another' }],
    ['a rename', 'pavel', { sub: 'id-of-paul' }],
    ['the same name with another sub', 'paul', { sub: 'id-of-somebody-else' }],
    ['the name in another case', 'PAUL', { sub: 'id-of-somebody-else' }],
    ['the name in full width', 'ｐａｕｌ', { sub: 'id-of-somebody-else' }],
    ['a name with letters that nobody sees', 'pa\u200bul', { sub: 'id-of-somebody-else' }],
  ])('409 FOUR_EYES_SAME_USER through %s (rule 14, spec 5.5.4)', async (_, name, given) => {
    await expectRefused(host.as(name, claims(given)), await prepared())
  })

  test('409 FOUR_EYES_SAME_USER for the person behind two accounts, as text and as number (rule 14)', async () => {
    const id = await prepared({ employeeNumber: '4711' })
    await expectRefused(host.as('p.second', claims({ employeeNumber: '4711' })), id)
    await expectRefused(host.as('p.third', claims({ employeeNumber: 4711 })), id)
    const other = host.as('ana', claims({ employeeNumber: '4712' }))
    expect((await other.post(`/contracts/${id}/approve`)).status).toBe(200)
  })

  test('409 FOUR_EYES_SAME_USER after a change of issuer, by name and by person (rule 14)', async () => {
    expect(second.issuer).not.toBe(host.issuer?.issuer)
    const id = await prepared({ employeeNumber: '4713' })
    const paul = second.as({ sub: 'new-id', preferred_username: 'Paul' }, ...DECIDE)
    await expectRefused(paul, id)
    const renamed = { sub: 'new-id', preferred_username: 'pk', employeeNumber: '4713' }
    await expectRefused(second.as(renamed, ...DECIDE), id)
    const ana = second.as({ sub: 'ana', preferred_username: 'ana' }, ...DECIDE)
    expect((await ana.post(`/contracts/${id}/approve`)).status).toBe(200)
  })

  /** As the store writes it, for callers that no request of this mode can have. */
  const preparedBy = (caller: Caller) =>
    host.db.write({ rows: 'ALL', subject: caller.subject }, async (tx) => {
      const content = await prepareContent(tx, newContract(partyId) as never)
      return insertContract(tx, { prepared: content, caller, submitted: true, year: '2026' })
    })
  const someone = (mode: Caller['mode'], rest: Pick<Caller, 'subject' | 'username' | 'actor'>) => ({
    ...{ human: true, permissions: new Set<string>(), mode },
    ...rest,
  })

  test('409 FOUR_EYES_SAME_USER for what was prepared in developer mode (rule 14)', async () => {
    const { id, preparers } = await preparedBy(someone('developer', developer('paul')))
    expect([...preparers].sort()).toEqual(keysOf(developer('paul')).sort())
    await expectRefused(host.as('paul', ...DECIDE), id)
    await expectRefused(second.as({ sub: 'x', preferred_username: 'PAUL' }, ...DECIDE), id)
    expect((await host.as('ana', ...DECIDE).post(`/contracts/${id}/approve`)).status).toBe(200)
  })

  test('409 FOUR_EYES_SAME_USER for the actor behind a preparer, by account and by name (rule 14)', async () => {
    const subject = (name: string) => `${host.issuer?.issuer}#id-of-${name}`
    const actor = { subject: subject('root'), username: 'root' }
    const paul = { subject: subject('paul'), username: 'paul', actor }
    const { id } = await preparedBy(someone('token', paul))
    await expectRefused(host.as('root', ...DECIDE), id)
    await expectRefused(host.as('renamed', claims({ sub: 'id-of-root' })), id)
    await expectRefused(host.as('ROOT', claims({ sub: 'id-of-second-root' })), id)
    expect((await host.as('ana', ...DECIDE).post(`/contracts/${id}/approve`)).status).toBe(200)
  })

  test('409 FOUR_EYES_SAME_USER for editor and submitter under their later names (rule 14)', async () => {
    const id = await createContract(
      host.as('paul', ...PREPARING),
      newContract(partyId, { draft: true }),
    )
    const path = `/contracts/${id}`
    const patch = { externalRef: 'E' }
    await succeeded(host.as('eva', ...PREPARING).patch(path, patch, { 'if-match': '*' }))
    await succeeded(host.as('sam', ...PREPARING).post(`${path}/submit`))
    for (const [name, sub] of [
      ['eva-married', 'id-of-eva'],
      ['sam2', 'id-of-sam'],
      ['pavel', 'id-of-paul'],
    ] as const) {
      const answer = await host.as(name, claims({ sub })).post(`${path}/approve`)
      expect(answer).toMatchObject({ status: 409, code: 'FOUR_EYES_SAME_USER' })
      expect(answer.body.preparedBy.username).toBe(sub.slice('id-of-'.length))
    }
  })

  test('409 FOUR_EYES_SAME_USER for the one who holds every permission: no super user (rule 14)', async () => {
    const chief = { permissions: EVERY_PERMISSION }
    const id = await createContract(host.as('chief', chief), newContract(partyId))
    await expectRefused(host.as('chief', chief), id)
    await expectRefused(host.as('CHIEF', { ...chief, claims: { sub: 'second-account' } }), id)
  })

  test('403 IMPERSONATION_READ_ONLY for every command of a session in which one acts as another (rule 14)', async () => {
    const id = await prepared()
    for (const impersonation of [
      { act: { sub: 'id-of-root' } },
      { impersonator: { id: 'id-of-root', username: 'root' } },
      { act: 'nonsense' },
    ]) {
      const client = host.as('ana', { permissions: EVERY_PERMISSION, claims: impersonation })
      for (const [path, body] of [
        [`/contracts/${id}/approve`, undefined],
        [`/contracts/${id}/withdraw`, { reason: 'x' }],
        ['/contracts', newContract(partyId)],
      ] as const) {
        const answer = await client.post(path, body)
        expect(answer, path).toMatchObject({ status: 403, code: 'IMPERSONATION_READ_ONLY' })
      }
      expect((await client.get(`/contracts/${id}`)).status).toBe(200)
    }
  })

  test('403 HUMAN_APPROVER_REQUIRED without a user name, or for a service account', async () => {
    const id = await prepared()
    for (const given of [
      { preferred_username: undefined },
      { preferred_username: 'service-account-tfs' },
      { preferred_username: 'Service-Account-tfs' },
    ]) {
      const answer = await host.as('bot', claims(given)).post(`/contracts/${id}/approve`)
      expect(answer).toMatchObject({ status: 403, code: 'HUMAN_APPROVER_REQUIRED' })
    }
  })

  test('200 for a different person, however alike the accounts look', async () => {
    for (const [name, given] of [
      ['paula', { sub: 'id-of-paula' }],
      ['paul2', { sub: 'id-of-paul2' }],
      ['раul', { sub: 'id-of-cyrillic' }],
      ['\u200b', { sub: 'id-of-nobody' }],
    ] as const) {
      const answer = await host
        .as(name, claims(given))
        .post(`/contracts/${await prepared()}/approve`)
      expect(answer.status, `${name} ${answer.text}`).toBe(200)
    }
  })
})
