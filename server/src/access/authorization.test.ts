import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { expectProblem, headerOf } from '../../test/problems.ts'
import { type RawRequest, sendRaw } from '../../test/raw.ts'

/** One route of each surface. */
const TARGETS = ['/api/v1/contracts', '/api/v1/my/contracts'] as const
const BARE_CHALLENGE = 'Bearer realm="tfs"'

describe.each(TARGETS)('the Authorization header on %s', (target) => {
  let host: Host
  let token: string
  beforeAll(async () => {
    host = await startHost({ mode: 'token' })
    const { authorization = '' } = host.headersOf('ana', {
      permissions: ['contract:read'],
      partyId: 'pty_any',
    })
    token = authorization.slice('Bearer '.length)
  })
  afterAll(() => host.close())

  /** Twice in a row, so that a remembered token is treated as a new one. */
  const send = async (lines: readonly string[], request: RawRequest = {}) => {
    await sendRaw(host.port, { target, ...request, lines })
    return sendRaw(host.port, { target, ...request, lines })
  }

  test('200 with a token once, the scheme in any case (spec 4.7, spec 5.1.2, rule 9)', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      expect((await send([`Authorization: ${scheme} ${token}`])).status, scheme).toBe(200)
    expect((await send([`AUTHORIZATION:Bearer ${token}  `])).status).toBe(200)
  })

  test('400 AUTHORIZATION_MALFORMED for two lines, whatever they say (spec 4.7, rule 9)', async () => {
    const good = `Authorization: Bearer ${token}`
    for (const other of [
      good,
      'authorization: Bearer x',
      'Authorization: Basic YTpi',
      'AUTHORIZATION:',
    ])
      for (const lines of [
        [good, other],
        [other, good],
      ])
        expectProblem(await send(lines), 400, 'AUTHORIZATION_MALFORMED', lines.join())
  })

  test('400 AUTHORIZATION_MALFORMED for more than one word behind the scheme (rule 9)', async () => {
    for (const value of [
      `Bearer ${token} ${token}`,
      `Bearer ${token} x`,
      'Bearer a b',
      'bearer a b c',
    ])
      expectProblem(await send([`Authorization: ${value}`]), 400, 'AUTHORIZATION_MALFORMED', value)
  })

  test('400 AUTHORIZATION_MALFORMED for a token in the query beside the header (rule 9)', async () => {
    for (const query of [`access_token=${token}`, 'limit=1&access_token=x', 'ACCESS_TOKEN=x']) {
      const answer = await send([`Authorization: Bearer ${token}`], {
        target: `${target}?${query}`,
      })
      expectProblem(answer, 400, 'AUTHORIZATION_MALFORMED', query)
      expect(answer.text).not.toContain(token)
    }
  })

  test('401 UNAUTHENTICATED for a token in query, cookie or body alone (spec 4.7, rule 9)', async () => {
    const body = `access_token=${token}`
    const requests: RawRequest[] = [
      { target: `${target}?access_token=${token}` },
      { lines: [`Cookie: access_token=${token}; Authorization=Bearer ${token}`] },
      { lines: [`X-Authorization: Bearer ${token}`, `Proxy-Authorization: Bearer ${token}`] },
      { lines: [`X-Access-Token: ${token}`, `Token: ${token}`] },
      {
        lines: [
          'Content-Type: application/x-www-form-urlencoded',
          `Content-Length: ${body.length}`,
        ],
        body,
      },
    ]
    for (const request of requests) {
      const answer = await send(request.lines ?? [], request)
      expectProblem(answer, 401, 'UNAUTHENTICATED')
      expect(headerOf(answer, 'www-authenticate')).toBe(BARE_CHALLENGE)
    }
  })

  test('401 UNAUTHENTICATED for another scheme or none (spec 7.4)', async () => {
    const values = [
      'Basic YTpi',
      `DPoP ${token}`,
      `Token ${token}`,
      token,
      'Bearer',
      `Bearer\t${token}`,
      '',
      ' ',
    ]
    for (const value of [
      ...values,
      `Bearer:${token}`,
      `Bearer=${token}`,
      'Negotiate abc',
      `Basic, Bearer ${token}`,
    ]) {
      const answer = await send([`Authorization: ${value}`])
      expectProblem(answer, 401, 'UNAUTHENTICATED', value)
      expect(headerOf(answer, 'www-authenticate'), value).toBe(BARE_CHALLENGE)
    }
    expectProblem(await send([]), 401, 'UNAUTHENTICATED')
  })

  test('no token is told to the log, wherever it stood (rule 9)', () => {
    expect(host.logLines.length).toBeGreaterThan(0)
    expect(host.logLines.join('\n')).not.toContain(token)
    expect(host.logLines.join('\n')).not.toMatch(/eyJ[\w-]{10}/)
  })
})
