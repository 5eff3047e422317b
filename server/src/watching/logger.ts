import { type Logger, pino } from 'pino'
import { Problem } from '../base/errors.ts'

/** One JSON line per fact. Tokens, bodies, queries and personal data are never given to it. */
export function loggerOf(level: string, destination?: NodeJS.WritableStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: faultFields },
  }
  return destination ? pino(options, destination) : pino(options, process.stderr)
}

/** Databases and parsers repeat what they could not read, in quotes: it may be anyone's name. */
const FROM_FIRST_QUOTE = /".*/s
const FRAME = /^\s+at .*$/gm
const KNOWN_FIELDS = ['code', 'sqlState', 'constraint', 'table', 'column'] as const

/** What a fault is and where it arose. */
function faultFields(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const known = KNOWN_FIELDS.flatMap((name) => {
    const value = (error as Error & Record<string, unknown>)[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return {
    type: error.name,
    message: error.message.replace(FROM_FIRST_QUOTE, '"…'),
    ...Object.fromEntries(known),
    // A refusal is a decision: where it was made is no news.
    ...(!(error instanceof Problem) && { stack: error.stack?.match(FRAME)?.join('\n') }),
    ...(error.cause !== undefined && { cause: faultFields(error.cause) }),
  }
}
