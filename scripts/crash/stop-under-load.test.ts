import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { newDataDir } from '../../cli/test/data-dir.ts'
import type {} from '../../server/test/global-setup.ts'
import { newContract } from '../../server/test/samples.ts'
import { PERMISSIONS } from './client.ts'
import { embeddedTarget, postgresTarget, type Target } from './target.ts'
import { newParty } from './writers.ts'

const CLIENTS = 12
const REQUESTS_BEFORE = 60
const LONGEST_STOP_MS = 10_000

interface Sent {
  readonly status?: number
  readonly failure?: string
  /** The process had answered over this connection before: it must answer over it again. */
  readonly overKept: boolean
}

/** One request over a connection that is kept, as clients of an API do. */
function send(agent: Agent, url: string, body?: string): Promise<Sent> {
  return new Promise((resolve) => {
    const sending = request(url, {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-dev-user': 'ana',
        'x-dev-permissions': PERMISSIONS,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
    })
    sending.on('response', (answer) => {
      // Headers without the rest are a failure on any connection.
      answer.on('error', ({ message }) => resolve({ failure: message, overKept: true }))
      answer.on('end', () =>
        resolve({ status: answer.statusCode as number, overKept: sending.reusedSocket }),
      )
      answer.resume()
    })
    sending.on('error', ({ message }) =>
      resolve({ failure: message, overKept: sending.reusedSocket }),
    )
    sending.end(body)
  })
}

let target: Target
afterEach(() => target.remove())

async function stopUnderLoad(): Promise<void> {
  const serving = await target.serve()
  const contract = JSON.stringify(newContract(await newParty(serving.baseUrl)))
  const outcomes: Sent[] = []
  async function client(writes: boolean): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (;;) {
      const url = `${serving.baseUrl}/api/v1/contracts`
      const sent = await send(agent, url, writes ? contract : undefined)
      outcomes.push(sent)
      // Refused at last: the process listens no more.
      if (sent.failure !== undefined) break
    }
    agent.destroy()
  }
  const clients = Array.from({ length: CLIENTS }, (_, index) => client(index % 2 === 0))
  while (outcomes.length < REQUESTS_BEFORE) await sleep(20)
  const asked = performance.now()
  const { code, signal, stderr } = await serving.end('SIGTERM')
  const ms = performance.now() - asked
  await Promise.all(clients)

  expect({ code, signal }).toEqual({ code: 0, signal: null })
  expect(outcomes.filter(({ failure, overKept }) => failure !== undefined && overKept)).toEqual([])
  expect(outcomes.some(({ overKept }) => overKept)).toBe(true)
  const statuses = new Set(outcomes.flatMap(({ status }) => status ?? []))
  expect([...statuses].sort()).toEqual([200, 201])
  expect(ms).toBeLessThan(LONGEST_STOP_MS)
  expect(stderr).not.toMatch(/Warning|Unhandled|"level":"error"/)
}

describe('rule 18: SIGTERM under load: no accepted request fails, exit 0', () => {
  test('embedded', async () => {
    target = await embeddedTarget(await newDataDir())
    await stopUnderLoad()
  })

  test('PostgreSQL', async () => {
    target = await postgresTarget(inject('postgresAdminUrl'))
    await stopUnderLoad()
  })
}, 180_000)
