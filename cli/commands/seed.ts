import { Command } from 'commander'
import { environment, readConfig } from '../../server/src/config.ts'

export function seedCommand(): Command {
  return new Command('seed')
    .description('Fill the database with the demo story.')
    .option('--developer', 'the embedded store of developer mode')
    .action(async (options: { developer?: boolean }) => {
      const config = readConfig(environment(), 'seed', options)
      const { seed } = await import('../../server/src/main.ts')
      const isNew = await seed(config)
      process.stdout.write(
        isNew
          ? 'The demo story is told.\n'
          : 'The demo story was there already; nothing changed.\n',
      )
    })
}
