import { Command } from 'commander'
import { BY, requireKnownCodes, say, withAccounts } from './identity-users.ts'

/** Partners' own systems: client credentials, one client per partner. */
export function clientsCommand(): Command {
  const clients = new Command('clients').description('Partners’ systems (client credentials).')
  for (const make of [add, list, secret, disable, enable]) {
    clients.addCommand(make().copyInheritedSettings(clients))
  }
  return clients
}

interface AddOptions {
  readonly partner: string
  readonly permission: readonly string[]
}

function add(): Command {
  return new Command('add')
    .description('Add a partner’s system; its secret is shown this once.')
    .argument('<id>', 'tfs-partner-<code>')
    .requiredOption('--partner <id>', 'the partner that it is bound to')
    .option('--permission <code...>', 'permission codes, e.g. contract:create', [])
    .action(async (id: string, { partner, permission }: AddOptions) => {
      await requireKnownCodes(permission)
      // Without it the API would not know that the partner's fence applies.
      const permissions = [...new Set(['scope:partner', ...permission])]
      const added = await withAccounts((db, { addPartnerClient }) =>
        addPartnerClient(db, BY, { id, partnerId: partner, permissions }),
      )
      process.stderr.write(`Client ${id} is ready. Its secret, shown this once:\n`)
      say(added.secret)
    })
}

function list(): Command {
  return new Command('list')
    .description('List partners’ systems and what they may do.')
    .action(async () => {
      const all = await withAccounts((db, { listPartnerClients }) => listPartnerClients(db))
      const lines = all.map(({ id, state, partnerId, permissions }) => {
        const facts =
          state === 'DISABLED' ? `disabled, partner ${partnerId}` : `partner ${partnerId}`
        return `${id} (${facts}): ${permissions.join(' ')}`
      })
      say(lines.join('\n') || 'No systems.')
    })
}

function secret(): Command {
  return new Command('secret')
    .description('Give a system a new secret, shown this once; the old one ends.')
    .argument('<id>')
    .action(async (id: string) => {
      say(await withAccounts((db, { renewClientSecret }) => renewClientSecret(db, BY, id)))
    })
}

function disable(): Command {
  return new Command('disable').argument('<id>').action(async (id: string) => {
    await withAccounts((db, { disableClient }) => disableClient(db, BY, id))
    say(`Client ${id} is disabled.`)
  })
}

function enable(): Command {
  return new Command('enable').argument('<id>').action(async (id: string) => {
    await withAccounts((db, { enableClient }) => enableClient(db, BY, id))
    say(`Client ${id} gets tokens again.`)
  })
}
