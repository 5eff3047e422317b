import { arrayOf, arrayTextOf, type ElementParser, type ElementWriter } from './array-text.ts'

/** What a value of a PostgreSQL type is in JavaScript, and back; the same in both stores. */
export type Parsers = Readonly<Record<number, ElementParser>>
export type Writers = Readonly<Record<number, ElementWriter>>

interface WireType {
  /** Its object id and that of its array, fixed in PostgreSQL's catalogue. */
  readonly oid: number
  readonly arrayOid: number
  readonly parse?: ElementParser
  readonly write: ElementWriter
}

const asIs: ElementParser = (text) => text

export function writePlain(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol') {
    throw new TypeError('An object was passed where the statement expects a plain value.')
  }
  return String(value)
}

function booleanTextOf(value: unknown): string {
  if (typeof value !== 'boolean') throw new TypeError('A boolean parameter must be true or false.')
  return value ? 't' : 'f'
}

function bytesTextOf(value: unknown): string {
  if (!(value instanceof Uint8Array)) throw new TypeError('A bytea parameter must be bytes.')
  return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
}

/** Always JSON, a string too: `'a'` becomes the JSON string `"a"`. */
function jsonTextOf(value: unknown): string {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('The value has no JSON form.')
  return text
}

function safeIntegerOf(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond the safe integers.`)
  return value
}

const UTC_TIMESTAMP = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?\+00(?::00)?$/

/** ISO 8601 in UTC with milliseconds; the session's TimeZone is UTC, anything else is a fault. */
export function utcTimestampOf(text: string): string {
  const [, date, time, fraction = ''] = UTC_TIMESTAMP.exec(text) ?? []
  if (date === undefined) throw new RangeError(`${text} is not a timestamp in UTC.`)
  return `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text.slice(2), 'hex')

const WIRE_TYPES: readonly WireType[] = [
  { oid: 16, arrayOid: 1000, parse: (text) => text === 't', write: booleanTextOf }, // boolean
  { oid: 17, arrayOid: 1001, parse: bytesOf, write: bytesTextOf }, // bytea
  { oid: 19, arrayOid: 1003, write: writePlain }, // name
  { oid: 20, arrayOid: 1016, parse: safeIntegerOf, write: writePlain }, // bigint
  { oid: 21, arrayOid: 1005, parse: Number, write: writePlain }, // smallint
  { oid: 23, arrayOid: 1007, parse: Number, write: writePlain }, // integer
  { oid: 25, arrayOid: 1009, write: writePlain }, // text
  { oid: 26, arrayOid: 1028, parse: Number, write: writePlain }, // oid
  { oid: 114, arrayOid: 199, parse: (text) => JSON.parse(text), write: jsonTextOf }, // json
  { oid: 700, arrayOid: 1021, parse: Number, write: writePlain }, // real
  { oid: 701, arrayOid: 1022, parse: Number, write: writePlain }, // double precision
  { oid: 1042, arrayOid: 1014, write: writePlain }, // char(n)
  { oid: 1043, arrayOid: 1015, write: writePlain }, // varchar
  { oid: 1082, arrayOid: 1182, write: writePlain }, // date
  { oid: 1114, arrayOid: 1115, write: writePlain }, // timestamp
  { oid: 1184, arrayOid: 1185, parse: utcTimestampOf, write: writePlain }, // timestamptz
  { oid: 1700, arrayOid: 1231, write: writePlain }, // numeric
  { oid: 2950, arrayOid: 2951, write: writePlain }, // uuid
  { oid: 3802, arrayOid: 3807, parse: (text) => JSON.parse(text), write: jsonTextOf }, // jsonb
]

export const parsers: Parsers = Object.fromEntries(
  WIRE_TYPES.flatMap(({ oid, arrayOid, parse = asIs }) => [
    [oid, parse],
    [arrayOid, (text: string) => arrayOf(text, parse)],
  ]),
)

export const writers: Writers = Object.fromEntries(
  WIRE_TYPES.flatMap(({ oid, arrayOid, write }) => [
    [oid, write],
    [arrayOid, (value: unknown) => arrayParameterOf(value, write)],
  ]),
)

function arrayParameterOf(value: unknown, write: ElementWriter): string {
  if (!Array.isArray(value)) throw new TypeError('An array parameter must be an array.')
  return arrayTextOf(value, write)
}

/** Neither store may guess what `undefined` means; null is null. */
export function requireDefinedValues(values: readonly unknown[]): void {
  const missing = values.indexOf(undefined)
  if (missing >= 0) throw new TypeError(`Parameter $${missing + 1} of the statement is undefined.`)
}
