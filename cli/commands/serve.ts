import { Command } from 'commander'
import { environment, readConfig } from '../../server/src/config.ts'
import { reportFailure } from '../failure.ts'
import { heedSignals, untilStopped } from '../until-stopped.ts'

export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve the API from settings alone (see docs/reference/settings.md).')
    .action(async () => {
      const config = readConfig(environment(), 'serve')
      const { serve } = await import('../../server/src/main.ts')
      void heedSignals()
      const running = await serve(config, { onUnservable: stopAtOnce })
      process.stdout.write(`TFS serves ${running.baseUrl}/api/v1 in ${config.mode} mode.\n`)
      tellWhenReady(running.store)
      await untilStopped(running.stop)
    })
}

interface Waiting {
  waitsFor(): string | undefined
  readonly fit: Promise<void>
}

/** Platform contract, section 1: while the database is not served yet, one line says what to do. */
function tellWhenReady({ waitsFor, fit }: Waiting): void {
  const reason = waitsFor()
  if (reason === undefined) return
  process.stderr.write(`tfs: Not ready. ${reason}\n`)
  void fit.then(() => process.stdout.write('The database is ready; TFS serves it now.\n'))
}

/** The database turned out to be one that must not be served. */
export function stopAtOnce(error: Error): void {
  reportFailure(error)
  process.exit()
}
