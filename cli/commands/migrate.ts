import { Command } from 'commander'
import { environment, readConfig } from '../../server/src/config.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Bring the schema up to date; on PostgreSQL as the owner (DATABASE_ADMIN_URL).')
    .option('--developer', 'the embedded store of developer mode')
    .action(async (options: { developer?: boolean }) => {
      const config = readConfig(environment(), 'migrate', options)
      const { migrateStore } = await import('../../server/src/main.ts')
      const applied = await migrateStore(config)
      process.stdout.write(
        applied.length === 0
          ? 'The schema is current.\n'
          : `Applied ${applied.join(', ')}. The schema is current.\n`,
      )
    })
}
