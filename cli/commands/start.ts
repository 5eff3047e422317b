import { Command } from 'commander'
import { environment, readConfig } from '../../server/src/config.ts'
import { banner } from '../banner.ts'
import { heedSignals, untilStopped } from '../until-stopped.ts'
import { stopAtOnce } from './serve.ts'

interface StartOptions {
  readonly developer?: boolean
  readonly reset?: boolean
}

export function startCommand(): Command {
  return new Command('start')
    .description(
      'Everything on one machine, nothing else needed: API, identity provider, demo data.',
    )
    .option('--developer', 'developer mode: no identity provider, developer headers')
    .option('--reset', 'start over: empties the embedded data directory first')
    .action(async (options: StartOptions) => {
      const config = readConfig(environment(), 'start', options)
      const { reset, start } = await import('../../server/src/start.ts')
      void heedSignals()
      if (options.reset) await reset(config)
      const started = await start(config, { onUnservable: stopAtOnce })
      process.stdout.write(banner(await started.demoFacts()))
      await untilStopped(started.stop)
      process.stdout.write('Stopped.\n')
    })
}
