import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../test/free-port.ts'
import { readConfig } from './config.ts'
import { reset, type Started, start } from './start.ts'

let dataDir: string
let started: Started
const configFor = (ports: { port: number; auth: number }) =>
  readConfig(
    {
      TFS_DATA_DIR: dataDir,
      PORT: String(ports.port),
      AUTH_PORT: String(ports.auth),
      METRICS_PORT: '0',
      LOG_LEVEL: 'silent',
    },
    'start',
  )

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tfs-start-'))
  const config = configFor({ port: await freePort(), auth: await freePort() })
  started = await start(config, { onUnservable: fail })
})
afterAll(async () => {
  await started.stop()
  await rm(dataDir, { recursive: true, force: true })
})

function fail(error: Error): never {
  throw error
}

async function tokenOf(username: string): Promise<string> {
  const { issuer } = await started.demoFacts()
  const answer = await fetch(`${issuer}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'tfs-ops',
      username,
      password: username,
    }),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return access_token
}

async function approveAs(username: string): Promise<{ status: number; body: { code?: string } }> {
  const { baseUrl, chiefContractId } = await started.demoFacts()
  const answer = await fetch(`${baseUrl}/api/v1/contracts/${chiefContractId}/approve`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf(username)}` },
  })
  return { status: answer.status, body: (await answer.json()) as { code?: string } }
}

test('one start gives a token, 409 for the chief and 200 for someone else (spec 1.5, spec 5.3.1)', async () => {
  expect(await approveAs('chief')).toMatchObject({
    status: 409,
    body: { code: 'FOUR_EYES_SAME_USER' },
  })
  const decided = (await started.demoFacts()).chiefContractId
  expect(await approveAs('approver')).toMatchObject({
    status: 200,
    body: { id: decided, state: 'APPROVED' },
  })
})

test('--reset is refused while the data directory is held', async () => {
  await expect(reset(started.config)).rejects.toThrow(/in use|held|another process/i)
})
