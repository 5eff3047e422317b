import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChangeStory, changeIn, proposed, reason, staff } from '../../test/change-stories.ts'
import type { Client } from '../../test/client.ts'
import { succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost, type Who } from '../../test/host.ts'
import { type SecondApp, serveAgain } from '../../test/second-app.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { everyPermission } from '../../test/walk.ts'

const KINDS = ['SETTLEMENT', 'PARTY', 'PARTNER'] as const
const PERSON_CLAIM = { OIDC_PERSON_CLAIM: 'employeeNumber' }

describe.each(STORE_KINDS)('who proposed a change decides nothing about it on %s', (store) => {
  let host: Host
  let second: SecondApp
  beforeAll(async () => {
    host = await startHost({ store, mode: 'token', env: PERSON_CLAIM })
    second = await serveAgain(host, PERSON_CLAIM)
  })
  afterAll(async () => {
    await second.close()
    await host.close()
  })

  const claims = (given: Record<string, unknown>): Who => ({
    permissions: everyPermission,
    claims: given,
  })

  async function expectRefused(client: Client, { path }: ChangeStory): Promise<void> {
    for (const decision of ['approve', 'reject']) {
      const answer = await client.post(
        `${path}/${decision}`,
        decision === 'approve' ? undefined : reason,
      )
      expect(answer, `${decision} ${answer.text}`).toMatchObject({
        ...{ status: 409, code: 'FOUR_EYES_SAME_USER' },
      })
    }
    const { body } = await succeeded(client.get(path))
    expect(body).toMatchObject({ state: 'PENDING', version: 1 })
    expect(body.actions).toMatchObject([
      { name: 'approve', allowed: false, reason: { code: 'FOUR_EYES_SAME_USER' } },
      { name: 'reject', allowed: false, reason: { code: 'FOUR_EYES_SAME_USER' } },
      { name: 'withdraw', allowed: true },
    ])
  }

  test('409 FOUR_EYES_SAME_USER through another session, client, name, sub or spelling (rule 14)', async () => {
    for (const kind of KINDS) {
      const story = await proposed(host, kind)
      for (const [name, given] of [
        ['paul', { sid: 'another-session' }],
        ['paul', { azp: 'tfs-cli' }],
        ['pavel', { sub: 'id-of-paul' }],
        ['paul', { sub: 'id-of-somebody-else' }],
        ['PAUL', { sub: 'id-of-somebody-else' }],
        ['ｐａｕｌ', { sub: 'id-of-somebody-else' }],
      ] as const) {
        await expectRefused(host.as(name, claims(given)), story)
      }
    }
  })

  test('409 FOUR_EYES_SAME_USER for the person behind two accounts (rule 14)', async () => {
    for (const kind of KINDS) {
      const person = { employeeNumber: `47-${kind}` }
      const story = await proposed(host, kind, host.as('paul', claims(person)))
      await expectRefused(host.as('p.second', claims(person)), story)
      const other = host.as('ana', claims({ employeeNumber: '4712' }))
      expect((await other.post(`${story.path}/approve`)).status).toBe(200)
    }
  })

  test('409 FOUR_EYES_SAME_USER after a change of issuer, by name and by person (rule 14)', async () => {
    const story = await proposed(host, 'PARTY', host.as('paul', claims({ employeeNumber: '4713' })))
    const renamed = { sub: 'new-id', preferred_username: 'pk', employeeNumber: '4713' }
    for (const account of [{ sub: 'new-id', preferred_username: 'Paul' }, renamed])
      await expectRefused(second.as(account, ...everyPermission), story)
    const ana = second.as({ sub: 'ana', preferred_username: 'ana' }, ...everyPermission)
    expect((await ana.post(`${story.path}/approve`)).status).toBe(200)
  })

  test('403 IMPERSONATION_READ_ONLY while one acts as another; the IBAN stays masked (rule 14)', async () => {
    const story = await proposed(host, 'PARTY')
    const acting = host.as('ana', claims({ act: { sub: 'id-of-root' } }))
    for (const [move, body] of [
      ['approve', undefined],
      ['reject', reason],
      ['withdraw', reason],
    ] as const) {
      const answer = await acting.post(`${story.path}/${move}`, body)
      expect(answer, move).toMatchObject({ status: 403, code: 'IMPERSONATION_READ_ONLY' })
    }
    const { body } = await succeeded(acting.get(story.path))
    expect(body.diff[0].after).toContain('*')
  })

  test('403 HUMAN_APPROVER_REQUIRED for a service account, which may propose and withdraw', async () => {
    const bot = host.as('service-account-import', ...everyPermission)
    for (const kind of KINDS) {
      const { path } = await proposed(host, kind)
      const answer = await bot.post(`${path}/approve`)
      expect(answer).toMatchObject({ status: 403, code: 'HUMAN_APPROVER_REQUIRED' })
      const own = await proposed(host, kind, bot)
      expect((await bot.post(`${own.path}/approve`)).code).toBe('FOUR_EYES_SAME_USER')
      expect((await bot.post(`${own.path}/withdraw`, reason)).status).toBe(200)
    }
  })

  test('409 FOUR_EYES_SAME_USER in every state: the proposer always learns this reason', async () => {
    for (const situation of ['APPROVED', 'REJECTED', 'WITHDRAWN', 'MOVED'] as const) {
      const { path } = await changeIn(host, 'PARTY', situation)
      const answer = await staff(host, 'paul').post(`${path}/approve`)
      expect(answer.code, situation).toBe('FOUR_EYES_SAME_USER')
    }
  })
})
