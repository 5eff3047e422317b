import { userInfo } from 'node:os'
import { Command } from 'commander'
import { environment, readConfig } from '../../server/src/config.ts'
import type { Account, By } from '../../server/src/identity/index.ts'

type Identity = typeof import('../../server/src/identity/index.ts')
type Accounts = Parameters<Identity['listAccounts']>[0]

/** Whose hand it was, for the accounts' audit. */
export const BY: By = { actor: `cli:${userInfo().username}` }

/** Opens the accounts of the settings for one piece of work. */
export async function withAccounts<T>(
  work: (accounts: Accounts, identity: Identity) => Promise<T>,
): Promise<T> {
  const config = readConfig(environment(), 'identity')
  const [commands, identity] = await Promise.all([
    import('../../server/src/identity-commands.ts'),
    import('../../server/src/identity/index.ts'),
  ])
  return commands.withAccounts(config, (db) => work(db, identity))
}

export async function requireKnownCodes(codes: readonly string[]): Promise<void> {
  const commands = await import('../../server/src/identity-commands.ts')
  commands.requireKnownCodes(codes)
}

export function usersCommand(): Command {
  const users = new Command('users').description('The users of the embedded identity provider.')
  const children = [add, list, grant, revoke, disable, enable, password, history]
  for (const make of children) users.addCommand(make().copyInheritedSettings(users))
  return users
}

interface AddOptions {
  readonly permission: readonly string[]
  readonly party?: string
  readonly partner?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly email?: string
}

function add(): Command {
  return new Command('add')
    .description('Add a user; the password is asked for, or read from standard input.')
    .argument('<username>')
    .option('--permission <code...>', 'permission codes, e.g. contract:read', [])
    .option('--party <id>', 'the party that a customer is')
    .option('--partner <id>', 'the partner that someone works for')
    .option('--first-name <name>')
    .option('--last-name <name>')
    .option('--email <address>')
    .action(async (username: string, options: AddOptions) => {
      await requireKnownCodes(options.permission)
      const { newPassword } = await import('../typed-secret.ts')
      const secret = await newPassword()
      const { permission: permissions, party: partyId, partner: partnerId, ...names } = options
      const details = { username, permissions, partyId, partnerId, ...names }
      await withAccounts((db, { addAccount }) => addAccount(db, BY, details, secret))
      say(`User ${username} can sign in now.`)
    })
}

function list(): Command {
  return new Command('list')
    .description('List the users, what they may do and whom they are linked to.')
    .option('--json', 'for programs')
    .action(async ({ json }: { json?: boolean }) => {
      const accounts = await withAccounts((db, { listAccounts }) => listAccounts(db))
      say(json ? JSON.stringify(accounts, null, 2) : accounts.map(lineOf).join('\n') || 'No users.')
    })
}

function grant(): Command {
  return new Command('grant')
    .description('Give a user permissions; they are in the next token.')
    .argument('<username>')
    .argument('<code...>')
    .action(async (username: string, codes: string[]) => {
      await requireKnownCodes(codes)
      const { permissions } = await withAccounts((db, { grantPermissions }) =>
        grantPermissions(db, BY, username, codes),
      )
      say(`${username}: ${permissions.join(' ')}`)
    })
}

function revoke(): Command {
  return new Command('revoke')
    .description('Take permissions from a user; tokens that are out end within 5 minutes.')
    .argument('<username>')
    .argument('<code...>')
    .action(async (username: string, codes: string[]) => {
      const { permissions } = await withAccounts((db, { revokePermissions }) =>
        revokePermissions(db, BY, username, codes),
      )
      say(`${username}: ${permissions.join(' ') || 'no permissions'}`)
    })
}

function disable(): Command {
  return new Command('disable')
    .description('Lock a user out and end all sessions; tokens that are out end within 5 minutes.')
    .argument('<username>')
    .action(async (username: string) => {
      await withAccounts((db, { disableAccount }) => disableAccount(db, BY, username))
      say(`User ${username} is disabled.`)
    })
}

function enable(): Command {
  return new Command('enable')
    .description('Let a disabled user sign in again.')
    .argument('<username>')
    .action(async (username: string) => {
      await withAccounts((db, { enableAccount }) => enableAccount(db, BY, username))
      say(`User ${username} can sign in again.`)
    })
}

function password(): Command {
  return new Command('password')
    .description('Set a password, asked for or read from standard input; ends all sessions.')
    .argument('<username>')
    .action(async (username: string) => {
      const { newPassword } = await import('../typed-secret.ts')
      const secret = await newPassword()
      await withAccounts((db, { setPassword }) => setPassword(db, BY, username, secret))
      say(`User ${username} has a new password.`)
    })
}

function history(): Command {
  return new Command('history')
    .description('Who changed what about a user, oldest first.')
    .argument('<username>')
    .action(async (username: string) => {
      const entries = await withAccounts((db, { accountAudit }) => accountAudit(db, username))
      say(entries.map(({ at, actor, action }) => `${at}  ${actor}  ${action}`).join('\n'))
    })
}

function lineOf({ username, state, permissions, partyId, partnerId }: Account): string {
  const links = [partyId && `party ${partyId}`, partnerId && `partner ${partnerId}`]
  const facts = [state === 'DISABLED' && 'disabled', ...links].filter(Boolean).join(', ')
  return `${username}${facts && ` (${facts})`}: ${permissions.join(' ') || 'no permissions'}`
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
