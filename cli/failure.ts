import { environment } from '../server/src/config.ts'

export const USAGE_EXIT = 2
const FAILURE_EXIT = 1
const LEVELS_WITH_STACK: ReadonlySet<string | undefined> = new Set(['debug', 'trace'])

/** One line that says what to do. A stack is for faults of the program, and only on demand. */
export function reportFailure(error: unknown): void {
  process.stderr.write(`tfs: ${lineOf(error)}\n`)
  if (error instanceof Error && LEVELS_WITH_STACK.has(environment()['LOG_LEVEL'])) {
    process.stderr.write(`${error.stack}\n`)
  }
  process.exitCode = FAILURE_EXIT
}

function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return firstLineOf(String(error))
  // A name with several addresses fails once for each of them, and the whole has no message.
  const message =
    error.message === '' && error instanceof AggregateError
      ? error.errors.map((each) => (each as Error).message).join('; ')
      : error.message
  return firstLineOf(message) || error.name
}

function firstLineOf(text: string): string {
  return text.trimStart().split('\n', 1)[0] as string
}
