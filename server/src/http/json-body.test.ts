import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { expectProblem } from '../../test/problems.ts'
import { type RawAnswer, sendRaw } from '../../test/raw.ts'
import {
  createContract,
  createParty,
  newContract,
  newPerson,
  PREPARING,
} from '../../test/samples.ts'
import { BODY_LIMIT_BYTES } from './limits.ts'

const PERSON = '{"type":"PERSON","person":{"firstName":"Ada","lastName":"Berg"}'
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
const withMember = (member: string): string => `${PERSON},${member}}`

/** Never well-formed JSON of ours, whatever the schema says. */
const MALFORMED: Readonly<Record<string, string | Buffer>> = {
  'no JSON': 'type=PERSON',
  'half an object': '{"type":',
  'something behind': `${PERSON}}{}`,
  'a trailing comma': `${PERSON},}`,
  'a comment': `${PERSON}/* */}`,
  'single quotes': "{'type':'PERSON'}",
  'a byte order mark': `\ufeff${PERSON}}`,
  'bytes that are no UTF-8': Buffer.from(withMember('"email":"\xff@b.c"'), 'latin1'),
  'an overlong encoding': Buffer.concat([
    Buffer.from(`${PERSON},"email":"`),
    Buffer.from([0xc0, 0xaf]),
    Buffer.from('"}'),
  ]),
  'UTF-16': Buffer.from(`${PERSON}}`, 'utf16le'),
  'a doubled member': withMember('"type":"PERSON"'),
  'a doubled member, escaped': withMember('"\\u0074ype":"PERSON"'),
  'a doubled member inside':
    '{"type":"PERSON","person":{"firstName":"A","firstName":"B","lastName":"C"}}',
  'the member __proto__': withMember('"__proto__":{"state":"ERASED"}'),
  '__proto__, escaped': withMember('"\\u005f_proto__":{}'),
  'the member constructor': withMember('"constructor":{"prototype":{"x":1}}'),
  'prototype inside': '{"type":"PERSON","person":{"firstName":"A","lastName":"B","prototype":{}}}',
  'depth 33': `{"x":${nested(32)}}`,
  'depth 20,000': nested(20_000),
  'a NUL': withMember('"externalRef":"a\\u0000b"'),
  'a NUL in a name': withMember('"a\\u0000b":1'),
  'half a surrogate pair': withMember('"externalRef":"\\ud800"'),
  'surrogates the wrong way round': withMember('"externalRef":"\\udc00\\ud800"'),
  'a number beyond every number': withMember('"x":1e400'),
  'a number below every number': withMember('"x":-1e400'),
  'a whole number that doubles cannot hold': withMember('"x":9007199254740993'),
  'a number of 400 digits': withMember(`"x":${'9'.repeat(400)}`),
}

describe.each(['embedded', 'postgres'] as const)('bodies on %s', (store) => {
  let host: Host
  let identity: string[]
  beforeAll(async () => {
    host = await startHost({ store })
    identity = Object.entries(host.headersOf('paul', { permissions: [...PREPARING] })).map(
      ([name, value]) => `${name}: ${value}`,
    )
  })
  afterAll(() => host.close())

  const post = (
    body: string | Buffer,
    type: string | null = 'Content-Type: application/json',
    target = '/api/v1/parties',
  ): Promise<RawAnswer> => {
    const length = `Content-Length: ${Buffer.byteLength(body)}`
    const lines = [...identity, ...(type === null ? [] : [type]), length]
    return sendRaw(host.port, { method: 'POST', target, lines, body })
  }
  const postChunked = (body: string): Promise<RawAnswer> => {
    const lines = [...identity, 'Content-Type: application/json', 'Transfer-Encoding: chunked']
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    return sendRaw(host.port, { method: 'POST', target: '/api/v1/parties', lines, body: chunks })
  }

  test('201 for the same body when nothing is wrong with it', async () => {
    expect((await post(`${PERSON}}`)).status).toBe(201)
    expect((await postChunked(`${PERSON}}`)).status).toBe(201)
    expect((await post(withMember('"externalRef":"\\ud83d\\ude00 é"'))).status).toBe(201)
  })

  test.each(Object.entries(MALFORMED))(
    '400 VALIDATION_FAILED for %s (rule 11)',
    async (name, body) => {
      const answer = await post(body)
      expectProblem(answer, 400, 'VALIDATION_FAILED', name)
      expect(answer.body.errors[0]).toMatchObject({ pointer: '', code: 'JSON_MALFORMED' })
    },
  )

  test('400 VALIDATION_FAILED for a body that is no object (rule 11)', async () => {
    for (const body of ['null', 'true', '7', '"text"', '[]', `[${PERSON}}]`])
      expectProblem(await post(body), 400, 'VALIDATION_FAILED', body)
  })

  test('depth 32 is still read (spec 8.1)', async () => {
    const answer = await post(`{"x":${nested(31)}}`)
    expect(answer.body.errors.map(({ code }: { code: string }) => code)).toContain('UNKNOWN_FIELD')
  })

  test('413 PAYLOAD_TOO_LARGE above 256 KiB, with a length and in chunks (spec 8.1, rule 11)', async () => {
    const most = JSON.stringify({ type: 'x'.repeat(BODY_LIMIT_BYTES - '{"type":""}'.length) })
    expect(most.length).toBe(BODY_LIMIT_BYTES)
    expectProblem(await post(most), 400, 'VALIDATION_FAILED')
    expectProblem(await postChunked(most), 400, 'VALIDATION_FAILED')
    expectProblem(await post(`${most} `), 413, 'PAYLOAD_TOO_LARGE')
    expectProblem(await postChunked(`${most} `), 413, 'PAYLOAD_TOO_LARGE')
    expectProblem(await post(most.repeat(8)), 413, 'PAYLOAD_TOO_LARGE')
  })

  test('415 UNSUPPORTED_MEDIA_TYPE for another type or charset, and for none (rule 11)', async () => {
    const types = [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application',
      'garbage;;;',
      '*/*',
      'application/jsonx',
      'application/json, text/plain',
    ]
    const charsets = [
      'iso-8859-1',
      'utf-16',
      'utf-7',
      '"latin1"',
      'utf-8; charset=latin1',
      'latin1; charset=utf-8',
    ]
    for (const type of [
      ...types,
      ...charsets.map((charset) => `application/json; charset=${charset}`),
    ])
      expectProblem(
        await post(`${PERSON}}`, `Content-Type: ${type}`),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        type,
      )
    expectProblem(await post(`${PERSON}}`, null), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectProblem(await post(`${PERSON}}`, 'Content-Type:'), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('201 for JSON by every name it has', async () => {
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json;charset=UTF-8',
      'application/json; charset="utf8"',
      'application/problem+json',
      'application/merge-patch+json',
    ])
      expect((await post(`${PERSON}}`, `Content-Type: ${type}`)).status, type).toBe(201)
  })

  test('an empty body counts as none, whatever its content type', async () => {
    const paul = host.as('paul', ...PREPARING)
    const partyId = await createParty(paul, newPerson())
    const drafted = () => createContract(paul, newContract(partyId, { draft: true }))
    for (const type of [
      null,
      'application/json',
      'text/plain',
      'multipart/form-data',
      'garbage',
      '',
    ]) {
      const target = `/api/v1/contracts/${await drafted()}/submit`
      const answer = await post('', type === null ? null : `Content-Type: ${type}`, target)
      expect(answer.status, `${type} ${answer.text}`).toBe(200)
    }
    expectProblem(await post('', 'Content-Type: text/plain'), 400, 'VALIDATION_FAILED')
    const target = `/api/v1/contracts/${await drafted()}/submit`
    const lines = [...identity, 'Content-Type: text/plain', 'Transfer-Encoding: chunked']
    expect(
      (await sendRaw(host.port, { method: 'POST', target, lines, body: '0\r\n\r\n' })).status,
    ).toBe(200)
    expectProblem(await post('{}', undefined, target), 400, 'VALIDATION_FAILED')
    expectProblem(await post(' ', undefined, target), 400, 'VALIDATION_FAILED')
  })

  test('400 within a blink for text that makes patterns run wild (rule 11)', async () => {
    const wild = `a@${'.'.repeat(200_000)}@`
    const startedAt = performance.now()
    expectProblem(await post(withMember(`"email":"${wild}"`)), 400, 'VALIDATION_FAILED')
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  test('400 with at most fifty faults for a body of twenty thousand', async () => {
    const members = Array.from({ length: 20_000 }, (_, i) => `"m${i}":1`).join()
    const answer = await post(withMember(members))
    expectProblem(answer, 400, 'VALIDATION_FAILED')
    expect(answer.body.errors.length).toBe(50)
  })

  test('400 for state, version, id and the like in a body: unknown fields (rule 17)', async () => {
    for (const member of [
      'state',
      'version',
      'id',
      'createdBy',
      'createdAt',
      'preparers',
      'displayName',
      'actions',
      'approvedBy',
      'created_by_partner',
    ]) {
      const answer = await post(withMember(`"${member}":"x"`))
      expectProblem(answer, 400, 'VALIDATION_FAILED', member)
      expect(answer.body.errors).toMatchObject([{ pointer: `/${member}`, code: 'UNKNOWN_FIELD' }])
    }
    const contract = newContract('pty_x')
    for (const member of [
      'state',
      'version',
      'id',
      'number',
      'decider',
      'decisions',
      'approval',
      'approvedBy',
      'preparedBy',
      'contentHash',
    ]) {
      const answer = await post(
        JSON.stringify({ ...contract, [member]: 'APPROVED' }),
        undefined,
        '/api/v1/contracts',
      )
      expectProblem(answer, 400, 'VALIDATION_FAILED', member)
      expect(answer.body.errors).toMatchObject([{ pointer: `/${member}`, code: 'UNKNOWN_FIELD' }])
    }
  })

  test('a near miss of a field is answered with the right one', async () => {
    const answer = await post(withMember('"externalRfe":"x"'))
    expect(answer.body.errors[0].detail).toContain('Did you mean "externalRef"?')
  })
})
