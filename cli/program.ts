import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { auditCommand } from './commands/audit.ts'
import { identityCommand } from './commands/identity.ts'
import { migrateCommand } from './commands/migrate.ts'
import { seedCommand } from './commands/seed.ts'
import { serveCommand } from './commands/serve.ts'
import { startCommand } from './commands/start.ts'
import { reportFailure, USAGE_EXIT } from './failure.ts'

const commands = [
  startCommand,
  serveCommand,
  identityCommand,
  migrateCommand,
  seedCommand,
  auditCommand,
]

export async function run(argv: readonly string[]): Promise<void> {
  try {
    await programOf().parseAsync(argv)
  } catch (error) {
    reportFailure(error)
    // Whatever is still open must not keep a failed process alive.
    process.exit()
  }
}

function programOf(): Command {
  const program = new Command('tfs')
    .description('The TFS financing platform.')
    .version(versionOf(), '-v, --version')
    .showSuggestionAfterError()
    .helpCommand(true)
    .configureOutput({ outputError: (text, write) => write(usageLine(text)) })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : USAGE_EXIT))
  for (const make of commands) program.addCommand(make())
  handDown(program)
  return program
}

/** Commander hands its settings down only to commands that it makes itself. */
function handDown(parent: Command): void {
  for (const command of parent.commands) handDown(command.copyInheritedSettings(parent))
}

/** One line as for every other failure; the suggestion stands on a line of its own otherwise. */
function usageLine(text: string): string {
  return `tfs: ${text
    .replace(/^error: /, '')
    .trimEnd()
    .replaceAll('\n', ' ')}\n`
}

function versionOf(): string {
  const text = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
