import { Command } from 'commander'
import { environment, readConfig } from '../../server/src/config.ts'
import { reportFailure } from '../failure.ts'
import { untilStopped } from '../until-stopped.ts'

export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve the API from settings alone (see docs/reference/settings.md).')
    .action(async () => {
      const config = readConfig(environment(), 'serve')
      const { serve } = await import('../../server/src/main.ts')
      const running = await serve(config, { onUnservable: stopAtOnce })
      process.stdout.write(`TFS serves ${running.baseUrl}/api/v1 in ${config.mode} mode.\n`)
      await untilStopped(running.stop)
    })
}

/** The database turned out to be one that must not be served. */
export function stopAtOnce(error: Error): void {
  reportFailure(error)
  process.exit()
}
