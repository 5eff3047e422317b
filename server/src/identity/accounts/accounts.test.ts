import { describe, expect, test } from 'vitest'
import { eachStore } from '../../../test/stores.ts'
import { keepArtifact } from '../artifacts/store.ts'
import { nowSeconds } from '../lifetimes.ts'
import { IDENTITY_MIGRATIONS } from '../migrate-identity.ts'
import { seedDemoUsers } from '../seed-demo-users.ts'
import { CATALOGUE, DEMO_LINKS } from '../test/realm.ts'
import { accountAudit } from './account-audit.ts'
import { addAccount } from './add-account.ts'
import {
  disableAccount,
  enableAccount,
  grantPermissions,
  revokePermissions,
  setPassword,
} from './change-account.ts'
import { listAccounts } from './list-accounts.ts'
import { addPartnerClient, listPartnerClients } from './partner-clients.ts'
import { isPassword } from './password-hash.ts'
import { accountByName } from './store.ts'

const BY = { actor: 'cli:ana' }
const PASSWORD = 'a long enough secret'
const NO_ROWS = { rows: 'NONE' } as const
let serial = 0
const newName = (): string => `user${++serial}`

eachStore(
  (store) => {
    async function added(details: object = {}): Promise<string> {
      const username = newName()
      await addAccount(store.db, BY, { username, permissions: [], ...details }, PASSWORD)
      return username
    }

    async function counted(table: string): Promise<number> {
      const { rows } = await store.rights.use((session) =>
        session.query(`select count(*)::int as n from ${table}`, []),
      )
      return (rows as { n: number }[])[0]?.n ?? -1
    }

    describe('accounts', () => {
      test('an account is added with its permissions and links; its password only as a hash', async () => {
        const username = await added({
          ...{ permissions: ['contract:read', 'party:read'], partnerId: 'ptn_1' },
          ...{ firstName: 'Ana', lastName: 'Ops', email: 'ana@example.org' },
        })
        const found = await store.db.read(NO_ROWS, (read) => accountByName(read, username))
        expect(found).toMatchObject({
          ...{ username, state: 'ACTIVE', permissions: ['contract:read', 'party:read'] },
          ...{ partnerId: 'ptn_1', partyId: null, firstName: 'Ana', demo: false },
        })
        expect(found?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
        expect(await isPassword(PASSWORD, found?.passwordHash ?? '')).toBe(true)
        expect(await isPassword(`${PASSWORD} `, found?.passwordHash ?? '')).toBe(false)
      })

      test('a name is taken whatever its case or width', async () => {
        const username = await added()
        for (const other of [username, username.toUpperCase(), username.replace('u', 'ｕ')]) {
          const again = addAccount(store.db, BY, { username: other, permissions: [] }, PASSWORD)
          await expect(again).rejects.toThrow('already')
        }
      })

      test.each([
        ['an empty name', { username: '' }, PASSWORD],
        ['a name with a blank', { username: 'a b' }, PASSWORD],
        ['a name that reads as a program', { username: 'Service-Account-x' }, PASSWORD],
        ['a short password', {}, 'elevenchars'],
        ['a password with the name in it', { username: 'margarethe' }, 'xx MARGARETHE xx'],
        ['a malformed permission', { permissions: ['contract'] }, PASSWORD],
        ['a blank link', { partyId: ' ' }, PASSWORD],
        ['an address that is none', { email: 'nobody' }, PASSWORD],
      ])('%s is refused in one line and nothing is stored', async (_name, details, password) => {
        const before = [await counted('account'), await counted('account_audit')]
        const whole = { username: newName(), permissions: [], ...details }
        const failure = await addAccount(store.db, BY, whole, password).catch((e: Error) => e)
        expect(failure).toBeInstanceOf(Error)
        expect((failure as Error).message).not.toContain('\n')
        expect([await counted('account'), await counted('account_audit')]).toEqual(before)
      })

      test('the list is in order of names and holds no hash', async () => {
        const names = (await listAccounts(store.db)).map(({ username }) => username)
        expect(names).toEqual([...names].sort())
        expect(JSON.stringify(await listAccounts(store.db))).not.toContain('argon2')
      })

      test('an unknown user is named', async () => {
        await expect(disableAccount(store.db, BY, 'nobody')).rejects.toThrow(
          'There is no user "nobody".',
        )
      })
    })

    describe('every change is audited', () => {
      test('who, what, on whom, before and after; never a password', async () => {
        const username = await added({ permissions: ['party:read'] })
        await grantPermissions(store.db, BY, username, ['contract:read', 'party:read'])
        await revokePermissions(store.db, BY, username, ['party:read'])
        await setPassword(store.db, BY, username, 'another long secret')
        await disableAccount(store.db, BY, username)
        await enableAccount(store.db, { actor: 'cli:bob' }, username)
        const entries = await accountAudit(store.db, username)
        expect(entries.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
          'ACCOUNT_ADDED cli:ana',
          'PERMISSIONS_GRANTED cli:ana',
          'PERMISSIONS_REVOKED cli:ana',
          'PASSWORD_SET cli:ana',
          'ACCOUNT_DISABLED cli:ana',
          'ACCOUNT_ENABLED cli:bob',
        ])
        expect(entries[0]).toMatchObject({ before: null, after: { permissions: ['party:read'] } })
        expect(entries[2]).toMatchObject({
          before: { permissions: ['contract:read', 'party:read'] },
          after: { permissions: ['contract:read'] },
        })
        expect(entries[4]).toMatchObject({
          before: { state: 'ACTIVE' },
          after: { state: 'DISABLED' },
        })
        expect(JSON.stringify(entries)).not.toMatch(/argon2|secret/)
      })

      test('a change that fails leaves neither itself nor an entry', async () => {
        const username = await added()
        const before = await counted('account_audit')
        // Passes our own check and is refused by the table's: the lock that no code path can skip.
        await store.owner(
          `alter table account_permission add constraint no_webhooks check (code <> 'webhook:manage')`,
        )
        const granted = grantPermissions(store.db, BY, username, ['webhook:manage'])
        await expect(granted).rejects.toThrow()
        expect(await counted('account_audit')).toBe(before)
        await store.owner('alter table account_permission drop constraint no_webhooks')
      })

      test('the provider’s own role can neither change nor remove an entry', async () => {
        await added()
        for (const text of [
          `update account_audit set actor = 'x'`,
          'delete from account_audit',
          'truncate account_audit',
        ]) {
          const tried = store.rights.use(async (session) => {
            await session.query('begin', [])
            try {
              await session.query(`set local role "${store.appRole}"`, [])
              await session.query(text, [])
            } finally {
              await session.query('rollback', [])
            }
          })
          await expect(tried).rejects.toThrow(/permission denied/)
          await expect(store.owner(text)).rejects.toThrow(/append-only/)
        }
      })
    })

    describe('sessions', () => {
      test.each([
        ['disabled', (name: string) => disableAccount(store.db, BY, name)],
        ['given a new password', (name: string) => setPassword(store.db, BY, name, PASSWORD)],
      ])('end when the account is %s', async (_name, change) => {
        const username = await added()
        const account = await store.db.read(NO_ROWS, (read) => accountByName(read, username))
        const accountId = account?.id ?? ''
        await store.db.write(NO_ROWS, async (tx) => {
          for (const kind of ['Session', 'RefreshToken', 'AuthorizationCode', 'Grant']) {
            const payload = { accountId, grantId: 'g' }
            await keepArtifact(tx, {
              ...{ kind, id: `${kind}${accountId}`, payload, expiresAt: nowSeconds() + 60 },
            })
          }
        })
        await change(username)
        expect(await counted(`artifact where account_id = '${accountId}'`)).toBe(0)
      })
    })

    describe('demo users', () => {
      test('are seeded once, also by two at once, and those who are there stay as they are', async () => {
        const seed = () => seedDemoUsers(store.db, DEMO_LINKS, CATALOGUE)
        const [first, second] = await Promise.all([seed(), seed()])
        expect(first + second).toBe(7)
        await setPassword(store.db, BY, 'chief', PASSWORD)
        expect(await seed()).toBe(0)
        const all = await listAccounts(store.db)
        expect(all.find(({ username }) => username === 'customer2')).toMatchObject({
          ...{ partyId: DEMO_LINKS.customer2, permissions: ['my:read', 'my:request'], demo: true },
        })
        // A password of one's own makes an account of one's own.
        expect(all.find(({ username }) => username === 'chief')?.demo).toBe(false)
      })
    })

    describe('partners’ systems', () => {
      test('are stored without their secret; a wrong id is refused', async () => {
        const details = { id: 'tfs-partner-a1', partnerId: 'ptn_1', permissions: ['scope:partner'] }
        const { secret } = await addPartnerClient(store.db, BY, details)
        expect(secret.length).toBeGreaterThanOrEqual(43)
        expect(await listPartnerClients(store.db)).toEqual([{ ...details, state: 'ACTIVE' }])
        expect(JSON.stringify(await accountAudit(store.db, details.id))).not.toContain(secret)
        await expect(addPartnerClient(store.db, BY, details)).rejects.toThrow('already')
        for (const id of ['tfs-ops', 'tfs-partner-', 'tfs-partner-A', 'evil']) {
          await expect(addPartnerClient(store.db, BY, { ...details, id })).rejects.toThrow()
        }
      })
    })
  },
  { migrations: IDENTITY_MIGRATIONS },
)
