import { expect, test } from 'vitest'
import type { Client } from './client.ts'
import { contractIn, leftBehind, type Situation, succeeded } from './contract-stories.ts'
import { expectFaults } from './faults.ts'
import type { Host } from './host.ts'

export interface ReasonedMove {
  readonly move: string
  readonly permission: string
  readonly from: Situation
  readonly host: () => Host
  readonly partyId: () => string
}

/** What every move with a reason does with it; reject, return, withdraw and their like. */
export function testReason({ move, permission, from, host, partyId }: ReasonedMove): void {
  const mover = (): Client => host().as('rosa', permission)
  const path = async () =>
    `/contracts/${await contractIn(host(), from, { partyId: partyId() })}/${move}`

  test('400 for a reason that is missing, blank, too long or no text', async () => {
    const where = await path()
    const before = await leftBehind(host().db)
    for (const [body, code] of [
      [{}, 'REQUIRED'],
      [{ reason: '' }, 'TOO_SHORT'],
      [{ reason: ' \t\n' }, 'WRONG_FORMAT'],
      [{ reason: '\u200b\u00ad' }, 'WRONG_FORMAT'],
      [{ reason: 'x'.repeat(1_001) }, 'TOO_LONG'],
      [{ reason: 7 }, 'WRONG_TYPE'],
      [{ reason: null }, 'WRONG_TYPE'],
    ] as const) {
      const answer = await mover().post(where, body)
      expectFaults(answer, [{ pointer: '/reason', code, detail: /^"reason" (?:must|is)/ }])
    }
    const none = await mover().post(where)
    expectFaults(none, [{ pointer: '', code: 'REQUIRED', detail: /needs a JSON body/ }])
    expect(await leftBehind(host().db)).toEqual(before)
  })

  test('400 UNKNOWN_FIELD for anything but the reason (rule 17)', async () => {
    const where = await path()
    for (const name of ['state', 'version', 'comment', 'decidedBy', 'preparers', 'resaon']) {
      const answer = await mover().post(where, { reason: 'Yes.', [name]: 'x' })
      expectFaults(answer, [
        { pointer: `/${name}`, code: 'UNKNOWN_FIELD', detail: /^Unknown field/ },
      ])
    }
  })

  test('403 PERMISSION_MISSING without its permission (spec 5.5.3)', async () => {
    const answer = await host()
      .as('rosa', 'contract:read')
      .post(await path(), { reason: 'No.' })
    expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    expect(answer.body.requiredPermission).toBe(permission)
  })

  test('404 for an unknown and for a foreign contract, with the same body (rule 16)', async () => {
    const dora = host().as('dora', { permissions: [permission], partnerId: 'ptn_x' })
    const shown = await Promise.all(
      [await path(), `/contracts/ctr_unknown/${move}`].map(async (where) => {
        const { body } = await dora.post(where, { reason: 'No.' })
        const { instance: _, requestId: __, ...rest } = body
        return rest
      }),
    )
    expect(shown[0]).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(shown[1]).toEqual(shown[0])
  })

  test('412 VERSION_CONFLICT when another version was seen', async () => {
    const answer = await mover().post(await path(), { reason: 'Old.' }, { 'if-match': '"77"' })
    expect(answer).toMatchObject({ status: 412, code: 'VERSION_CONFLICT' })
  })

  test('200 for a dry run, and nothing is moved', async () => {
    const where = await path()
    const before = await leftBehind(host().db)
    const answer = await succeeded(mover().post(`${where}?dryRun=true`, { reason: 'Maybe.' }))
    expect(answer.body).toMatchObject({ dryRun: true, warnings: [] })
    expect(answer.body.diff).toContainEqual({ pointer: '/reason', before: null, after: 'Maybe.' })
    expect(await leftBehind(host().db)).toEqual(before)
  })
}
