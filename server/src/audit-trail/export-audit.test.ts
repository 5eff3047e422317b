import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'
import { type SignedTrail, signedTrail } from './test/signed-trail.ts'
import { ALL, each, work } from './test/trail.ts'
import { verifyExport } from './verify-export.ts'

const MANY = 1_200

describe.each(STORE_KINDS)('GET /audit/export on %s', (store) => {
  let host: Host
  let trail: SignedTrail
  beforeAll(async () => {
    host = await startHost({ store })
    trail = await signedTrail(host.db)
    await host.db.write(ALL, (tx) =>
      tx.run(sql`
        insert into audit_entry (id, request_id, subject, username, mode, action, outcome, diff)
        select 'aud_' || n, 'r', 's', 'u', 'system', 'a', 'DONE',
               jsonb_build_array(jsonb_build_object('pointer', '/x', 'before', null, 'after', repeat('x', 500)))
          from generate_series(1, ${MANY}) n`),
    )
    await work(host.db, 'last')
    await trail.seal()
  })
  afterAll(async () => {
    trail.remove()
    await host.close()
  })

  const fetched = async (query = '', headers: Record<string, string> = {}) => {
    const answer = await fetch(`${host.baseUrl}/api/v1/audit/export${query}`, {
      headers: { ...host.headersOf('audra', { permissions: ['audit:read'] }), ...headers },
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const refused = (query: string, headers = {}) =>
    host.as('audra', 'audit:read').get(`/audit/export${query}`, headers)
  const linesOf = (text: string): string[] => text.trimEnd().split('\n')

  test('200 JSON lines that prove themselves, over many pages (platform 9)', async () => {
    const answer = await fetched()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/jsonl; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-request-id')).toBeTruthy()
    const verified = await verifyExport(each(linesOf(answer.text)), {
      publicKey: trail.checkpoints.publicKeyPem,
      checkpoints: trail.filed(),
    })
    expect(verified).toMatchObject({ ok: true, entries: MANY + 1, signedTo: MANY + 1 })
  })

  test('200 a part that begins where the last one ended (platform 9)', async () => {
    const part = linesOf((await fetched('?from=1000&to=1100')).text)
    expect(await verifyExport(each(part))).toMatchObject({ ok: true, from: 1_000, to: 1_100 })
    const nothing = linesOf((await fetched(`?from=${MANY + 2}`)).text)
    expect(await verifyExport(each(nothing))).toMatchObject({ ok: true, entries: 0 })
  })

  test('400 VALIDATION_FAILED beyond the end of the chain (platform 7)', async () => {
    const answer = await refused(`?from=${MANY + 3}`)
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(answer.body.errors).toMatchObject([{ pointer: '/query/from' }])
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(await refused('?from=0')).toMatchObject({ status: 400 })
    expect(await refused('?form=1')).toMatchObject({ status: 400 })
  })

  test('406 NOT_ACCEPTABLE when the client wants something else (platform 7)', async () => {
    expect(await refused('', { accept: 'text/csv' })).toMatchObject({
      status: 406,
      code: 'NOT_ACCEPTABLE',
    })
    expect(await fetched('?to=1', { accept: 'application/jsonl' })).toMatchObject({ status: 200 })
  })

  test('HEAD answers with the headers alone and reads nothing (platform 8)', async () => {
    const answer = await host.as('audra', 'audit:read').send('HEAD', '/audit/export')
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers.get('content-type')).toBe('application/jsonl; charset=utf-8')
  })
})
