import { Problem } from '../base/errors.ts'
import { storageErrors } from './errors.ts'

/** A statement that the database refused; `sqlState` and `constraint` say why. */
export class SqlFault extends Error {
  readonly sqlState: string
  readonly constraint: string | undefined
  readonly table: string | undefined
  readonly column: string | undefined

  constructor(message: string, fields: SqlFaultFields) {
    super(message)
    this.name = 'SqlFault'
    this.sqlState = fields.sqlState
    this.constraint = fields.constraint
    this.table = fields.table
    this.column = fields.column
  }
}

export interface SqlFaultFields {
  readonly sqlState: string
  readonly constraint: string | undefined
  readonly table: string | undefined
  readonly column: string | undefined
}

export function isConstraint(error: unknown, name: string): boolean {
  return error instanceof SqlFault && error.constraint === name
}

export const RETRY_AFTER_SECONDS = 1

/** What the drivers and the operating system call a connection that cannot be had or was lost. */
const LOST_CONNECTION_CODES: ReadonlySet<string> = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Certificates that do not fit, and servers that do not speak TLS. */
const TLS_FAULT = /^(CERT_|DEPTH_ZERO_|ERR_SSL_|ERR_TLS_|EPROTO$|SELF_SIGNED_|UNABLE_TO_)/

/**
 * SQL states that say "not now" about a statement or a connection. Whole classes by two characters:
 * 08 connection exception, 53 insufficient resources, 57P server shutdown, 58 system error.
 */
const UNAVAILABLE_STATES = /^(08...|53...|57P..|58...)$/
const GIVEN_UP_STATES: ReadonlySet<string> = new Set([
  '25P03', // idle in transaction for too long
  '25P04', // transaction took too long
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available
  '57014', // statement timeout
])

/** The embedded store after `close`, or while it closes. */
const EMBEDDED_CLOSED = /^PGlite is clos(ed|ing)$/

interface DriverError extends Error {
  readonly code?: unknown
  readonly severity?: unknown
  readonly constraint_name?: unknown
  readonly constraint?: unknown
  readonly table_name?: unknown
  readonly table?: unknown
  readonly column_name?: unknown
  readonly column?: unknown
}

/** True when nothing more can be asked over the connection that gave this error. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, severity } = error as DriverError
  if (typeof code !== 'string') return false
  return severity === 'FATAL' || LOST_CONNECTION_CODES.has(code) || TLS_FAULT.test(code)
}

export function unavailable(detail: string): Problem {
  return storageErrors.UNAVAILABLE(detail, {}, { 'Retry-After': String(RETRY_AFTER_SECONDS) })
}

/**
 * What a driver threw, in our own words: a 503, or a fault without the values that the drivers hang
 * on their errors. Errors of the work itself pass unchanged.
 */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem || error instanceof SqlFault) {
    return error
  }
  const { code } = error as DriverError
  if (isLostConnection(error)) return unavailable(`The database cannot be reached (${code}).`)
  if (typeof code !== 'string') {
    return EMBEDDED_CLOSED.test(error.message) ? unavailable('The database is closed.') : error
  }
  if (!isSqlState(error)) return error
  if (UNAVAILABLE_STATES.test(code)) return unavailable(`The database is not ready (${code}).`)
  if (GIVEN_UP_STATES.has(code)) return unavailable(`The database gave up the work (${code}).`)
  return sqlFaultOf(error, code)
}

function isSqlState(error: DriverError): boolean {
  return typeof error.severity === 'string' && /^[0-9A-Z]{5}$/.test(String(error.code))
}

function sqlFaultOf(error: DriverError, sqlState: string): SqlFault {
  const fault = new SqlFault(error.message, {
    sqlState,
    constraint: textOf(error.constraint_name ?? error.constraint),
    table: textOf(error.table_name ?? error.table),
    column: textOf(error.column_name ?? error.column),
  })
  if (error.stack !== undefined) fault.stack = error.stack
  return fault
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
