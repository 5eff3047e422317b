#!/usr/bin/env node
import { Command } from 'commander'
import { migrateCommand } from './commands/migrate.ts'
import { seedCommand } from './commands/seed.ts'
import { serveCommand } from './commands/serve.ts'
import { startCommand } from './commands/start.ts'
import { reportFailure, USAGE_EXIT } from './failure.ts'

const program = new Command('tfs')
  .description('The TFS financing platform.')
  .showSuggestionAfterError()
  .helpCommand(true)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : USAGE_EXIT))
  .addCommand(startCommand())
  .addCommand(serveCommand())
  .addCommand(migrateCommand())
  .addCommand(seedCommand())

try {
  await program.parseAsync()
} catch (error) {
  reportFailure(error)
}
