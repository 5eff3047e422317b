import { Command } from 'commander'
import { environment, readConfig } from '../../server/src/config.ts'
import { developerBanner } from '../banner.ts'
import { untilStopped } from '../until-stopped.ts'
import { stopAtOnce } from './serve.ts'

export function startCommand(): Command {
  return new Command('start')
    .description('Everything on one machine, with demo data.')
    .option('--developer', 'developer mode: no identity provider, developer headers')
    .action(async (options: { developer?: boolean }) => {
      const config = readConfig(environment(), 'start', { developer: options.developer ?? true })
      const { serve, tellDemo } = await import('../../server/src/main.ts')
      const running = await serve(config, { takeNextPort: true, onUnservable: stopAtOnce })
      await tellDemo(running)
      process.stdout.write(developerBanner(running.baseUrl, config.port))
      await untilStopped(running.stop)
      process.stdout.write('Stopped.\n')
    })
}
