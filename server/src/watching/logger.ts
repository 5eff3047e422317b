import { type Logger, pino } from 'pino'

/** One JSON line per fact. Tokens, bodies, queries and personal data are never given to it. */
export function loggerOf(level: string, destination?: NodeJS.WritableStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return destination ? pino(options, destination) : pino(options, process.stderr)
}
