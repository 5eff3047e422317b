import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newDataDir } from '../../cli/test/data-dir.ts'
import { readConfig } from './config.ts'
import { openStore } from './open-store.ts'
import { lockDataDir } from './storage/data-dir-lock.ts'
import { openEngine } from './storage/embedded.ts'

const TFS_DATA_DIR = 'TFS_DATA_DIR'
let folder: string
beforeEach(async () => {
  folder = await newDataDir()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const never = (error: Error): never => {
  throw error
}

describe('platform 1: the embedded store has one holder', () => {
  test('held while it is open, free when it is closed', async () => {
    const config = readConfig({ [TFS_DATA_DIR]: folder }, 'serve')
    const store = await openStore(config, never)
    expect(store.waitsFor()).toBeUndefined()
    expect(() => lockDataDir(folder)).toThrow(/is in use by process \d+/)
    await store.close()
    lockDataDir(folder).release()
  })

  test('a start that fails leaves the directory to the next', async () => {
    const engine = await openEngine(join(folder, 'database'))
    await engine
      .owner('tfs')
      .use((session) =>
        session.script(`update schema_migration set checksum = 'other' where version = 1`),
      )
    await engine.close()
    const config = readConfig({ [TFS_DATA_DIR]: folder }, 'serve')
    await expect(openStore(config, never)).rejects.toThrow('was changed after it had been applied')
    lockDataDir(folder).release()
  })

  test('a mode that the database did not begin in leaves the directory to the next', async () => {
    await (await openStore(readConfig({ [TFS_DATA_DIR]: folder }, 'serve'), never)).close()
    const token = readConfig(
      { [TFS_DATA_DIR]: folder, OIDC_ISSUER: 'https://auth.example.org/realms/tfs' },
      'serve',
    )
    await expect(openStore(token, never)).rejects.toThrow('first served in developer mode')
    lockDataDir(folder).release()
  })
})
