export const USAGE_EXIT = 2
const FAILURE_EXIT = 1

/** One line that says what to do. A stack is for faults of the program, and only on demand. */
export function reportFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`tfs: ${message.split('\n', 1)[0]}\n`)
  process.exitCode = FAILURE_EXIT
}
