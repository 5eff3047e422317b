import { beforeEach, expect, test } from 'vitest'
import { eachStore } from '../../test/stores.ts'
import { requireMode, type ServedMode } from './mode-stamp.ts'

eachStore(
  (store) => {
    beforeEach(() =>
      store.owner(`
        drop table if exists deployment;
        create table deployment (name text primary key, value text not null);
        grant select, insert on deployment to "${store.appRole}"`),
    )

    const start = (mode: ServedMode): Promise<void> =>
      store.db.write({ rows: 'NONE' }, (tx) => requireMode(tx, mode))

    test.each([
      ['token', 'developer', 'set OIDC_ISSUER'],
      ['developer', 'token', 'unset OIDC_ISSUER'],
    ] as const)(
      'a database first served in %s mode is never served in %s mode',
      async (first, then, wayOut) => {
        await start(first)
        await start(first)
        const line = `served in ${first} mode and cannot be served in ${then} mode: ${wayOut}, or`
        await expect(start(then)).rejects.toThrow(line)
        await start(first)
      },
    )

    test('of several first starts at once only those of one mode succeed', async () => {
      const modes: ServedMode[] = ['token', 'developer', 'token', 'developer']
      const outcomes = await Promise.allSettled(modes.map(start))
      const served = new Set(modes.filter((_, n) => outcomes[n]?.status === 'fulfilled'))
      expect(served.size).toBe(1)
    })
  },
  { migrations: false },
)
