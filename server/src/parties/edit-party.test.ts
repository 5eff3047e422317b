import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, newPerson } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

const IBAN = 'DE89370400440532013000'

describe.each(STORE_KINDS)('editParty on %s', (store) => {
  let host: Host
  let count = 0
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  const staff = () => host.as('paul', 'party:create', 'party:read', 'party:update', 'party:erase')
  const fresh = () => createParty(staff(), newPerson(`Sommer ${++count}`))

  test('202 and the old value stays in force until another person approves', async () => {
    const id = await fresh()
    const asked = await staff().patch(
      `/parties/${id}`,
      { email: 'clara@example.org', bankAccount: { iban: IBAN, holder: 'Clara Sommer' } },
      { 'if-match': '"1"' },
    )
    expect(asked.status, asked.text).toBe(202)
    expect(asked.body).toMatchObject({ kind: 'PARTY', state: 'PENDING', baseVersion: 1 })
    expect(asked.text).not.toContain(IBAN)
    const before = await staff().get(`/parties/${id}`)
    expect(before.body.email).toBeUndefined()
    expect(before.body.pendingChanges).toEqual([{ id: asked.body.id, kind: 'PARTY' }])

    const change = `/parties/${id}/changes/${asked.body.id}`
    const seen = await host.as('ana', 'party:approve').get(change)
    expect(seen.text, 'whole for the one who decides').toContain(IBAN)
    const own = await host.as('paul', 'party:approve').post(`${change}/approve`)
    expect(own).toMatchObject({ status: 409, code: 'FOUR_EYES_SAME_USER' })
    const done = await host.as('ana', 'party:approve').post(`${change}/approve`)
    expect(done.status, done.text).toBe(200)
    const after = await staff().get(`/parties/${id}`)
    expect(after.body).toMatchObject({
      email: 'clara@example.org',
      bankAccount: { iban: 'DE89**************3000', holder: 'Clara Sommer' },
      version: 2,
      pendingChanges: [],
    })
  })

  test('200 at once for language and external reference', async () => {
    const id = await fresh()
    const answer = await staff().patch(`/parties/${id}`, { language: 'de' }, { 'if-match': '"1"' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ language: 'de', version: 2 })
  })

  test('400 IBAN_MASKED when a masked IBAN is sent back', async () => {
    const id = await fresh()
    const body = { bankAccount: { iban: 'DE89**************3000', holder: 'C' } }
    const answer = await staff().patch(`/parties/${id}`, body, { 'if-match': '*' })
    expect(answer.body.errors).toMatchObject([
      { pointer: '/bankAccount/iban', code: 'IBAN_MASKED' },
    ])
  })

  test('blocked at once, unblocked and erased by two', async () => {
    const id = await fresh()
    const blocked = await staff().post(`/parties/${id}/block`, { reason: 'Fraud suspected.' })
    expect(blocked.body, blocked.text).toMatchObject({ state: 'BLOCKED', version: 2 })
    for (const [action, state] of [
      ['unblock', 'ACTIVE'],
      ['erase', 'ERASED'],
    ] as const) {
      const asked = await staff().post(`/parties/${id}/${action}`, { reason: 'Cleared.' })
      expect(asked.status, asked.text).toBe(202)
      const done = await host
        .as('ana', 'party:approve')
        .post(`/parties/${id}/changes/${asked.body.id}/approve`)
      expect(done.status, done.text).toBe(200)
      const party = await staff().get(`/parties/${id}`)
      expect(party.body.state).toBe(state)
    }
    const erased = await staff().get(`/parties/${id}`)
    expect(erased.text).not.toContain('Sommer')
  })
})
