import type { TSchema } from 'typebox'
import { type TProperties, Type } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { canonicalJson } from '../base/canonical-json.ts'
import { shortDigest } from '../base/digest.ts'
import { httpErrors } from './errors.ts'

export const DEFAULT_LIMIT = 50
export const LARGEST_LIMIT = 200
const LONGEST_CURSOR = 1_024
const LONGEST_ROW_ID = 64
/** Years that a database reads; Date would write others, with a sign and six digits. */
const COMMON_YEAR = /^[12]\d{3}-/

export interface PageRequest {
  readonly limit: number
  /** Sort values of the last row of the page before, as text. */
  readonly after: readonly string[] | undefined
  /** Makes the cursor that continues behind a row. */
  readonly cursorAfter: (position: readonly string[]) => string
}

/** Query parameters of a list: its own filters and the two of every list. */
export function Paged<Filters extends TProperties>(filters: Filters) {
  return Type.Object(
    {
      ...filters,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: LARGEST_LIMIT, default: DEFAULT_LIMIT }),
      ),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_CURSOR })),
    },
    { additionalProperties: false },
  )
}

export function Page<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    nextCursor: Type.Union([Type.String(), Type.Null()]),
  })
}

/** Rows come with one more than asked for: that one tells whether there is a next page. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  page: PageRequest,
  positionOf: (row: Row) => readonly string[],
  itemOf: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  const more = rows.length > page.limit && last !== undefined
  return {
    items: shown.map(itemOf),
    nextCursor: more ? page.cursorAfter(positionOf(last)) : null,
  }
}

/**
 * A cursor is bound to caller, route, filter and sort by a digest. It needs no secret: a forged one
 * can only name a position, and which rows exist behind it is decided by scope, not by the cursor.
 */
export function pageRequestOf(
  caller: Caller,
  routeId: string,
  query: Readonly<Record<string, unknown>>,
): PageRequest {
  const { limit, cursor, ...filter } = query
  const binding = (): string =>
    shortDigest(canonicalJson([caller.subject, caller.partyId, caller.partnerId, routeId, filter]))
  return {
    limit: typeof limit === 'number' ? limit : DEFAULT_LIMIT,
    after: typeof cursor === 'string' ? positionIn(cursor, binding()) : undefined,
    cursorAfter: (position) =>
      Buffer.from(JSON.stringify([binding(), ...position])).toString('base64url'),
  }
}

function positionIn(cursor: string, binding: string): readonly string[] {
  const parts = decoded(cursor)
  if (parts === undefined || parts[0] !== binding) throw foreignCursor()
  return parts.slice(1)
}

function foreignCursor() {
  return httpErrors.VALIDATION_FAILED('The cursor does not belong to this list.', {
    errors: [
      {
        pointer: '/query/cursor',
        code: 'CURSOR_FOREIGN',
        detail:
          'This cursor was made for another caller, filter or sort. Start again without a cursor.',
      },
    ],
  })
}

/** A forged position must not reach the database as a value that it cannot read. */
export function requirePosition(page: PageRequest, isValue: (text: string) => boolean): void {
  if (page.after === undefined) return
  const [value, id, ...rest] = page.after
  if (value === undefined || id === undefined || rest.length > 0) throw foreignCursor()
  if (!isValue(value) || !isRowId(id)) throw foreignCursor()
}

function isRowId(text: string): boolean {
  return text.length >= 1 && text.length <= LONGEST_ROW_ID && !text.includes('\0')
}

export function requireInstantPosition(page: PageRequest): void {
  requirePosition(page, isInstant)
}

export function isInstant(text: string): boolean {
  const time = COMMON_YEAR.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString() === text
}

function decoded(cursor: string): string[] | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  // Node skips what is not base64url; two spellings of one cursor are one too many.
  if (bytes.toString('base64url') !== cursor) return undefined
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return Array.isArray(value) && value.every((part) => typeof part === 'string')
      ? value
      : undefined
  } catch {
    // Not JSON: simply no cursor of ours, the caller is told so.
    return undefined
  }
}
