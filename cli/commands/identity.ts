import { Command } from 'commander'
import { environment, readConfig } from '../../server/src/config.ts'
import { heedSignals, untilStopped } from '../until-stopped.ts'
import { clientsCommand } from './identity-clients.ts'
import { usersCommand } from './identity-users.ts'

/** The embedded identity provider alone, and its users, systems and keys. */
export function identityCommand(): Command {
  const command = new Command('identity')
    .description('Run the embedded identity provider alone, from settings.')
    .action(run)
  const children = [usersCommand, clientsCommand, rotateKeysCommand, migrateCommand]
  for (const make of children) command.addCommand(make().copyInheritedSettings(command))
  return command
}

async function run(): Promise<void> {
  const config = readConfig(environment(), 'identity')
  const { openAccounts, runProvider } = await import('../../server/src/identity-commands.ts')
  void heedSignals()
  const store = await openAccounts(config)
  const provider = await runProvider(config, store)
  process.stdout.write(`The identity provider serves ${provider.issuer}\n`)
  await untilStopped(provider.stop)
  process.stdout.write('Stopped.\n')
}

function rotateKeysCommand(): Command {
  return new Command('rotate-keys')
    .description('Sign with a new key; the old one stays published until its tokens have expired.')
    .option('--withdraw', 'the old keys got out: take them back at once, their tokens with them')
    .action(async ({ withdraw = false }: { withdraw?: boolean }) => {
      const { keyDir } = readConfig(environment(), 'identity')
      const { rotateKeys } = await import('../../server/src/identity/index.ts')
      const { kid, published } = await rotateKeys(keyDir, { withdraw })
      process.stdout.write(
        `Key ${kid} signs from now on; ${published} published. A running provider follows within seconds.\n`,
      )
    })
}

function migrateCommand(): Command {
  return new Command('migrate')
    .description('Bring the accounts’ schema up to date on PostgreSQL (DATABASE_ADMIN_URL).')
    .action(async () => {
      const config = readConfig(environment(), 'identity')
      const { migrateAccounts } = await import('../../server/src/identity-commands.ts')
      const applied = await migrateAccounts(config)
      const what = applied.length === 0 ? '' : `Applied ${applied.join(', ')}. `
      process.stdout.write(`${what}The schema is current.\n`)
    })
}
