import { canonicalJson } from './canonical-json.ts'

/** One changed place between two values: `{pointer, before, after}`; a missing side is null. */
export interface DiffRow {
  readonly pointer: string
  readonly before: unknown
  readonly after: unknown
}

/** Rows in the order of the members; lists are compared as a whole, since people read them so. */
export function diffOf(before: unknown, after: unknown, pointer = ''): DiffRow[] {
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) =>
      diffOf(
        memberOf(before, name),
        memberOf(after, name),
        `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      ),
    )
  }
  if (isRecord(after) && before == null) return diffOf({}, after, pointer)
  if (isRecord(before) && after == null) return diffOf(before, {}, pointer)
  if (isSame(before, after)) return []
  return [{ pointer, before: before ?? null, after: after ?? null }]
}

type Members = Readonly<Record<string, unknown>>

function isRecord(value: unknown): value is Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** What an object inherits is no member of it. */
function memberOf(record: Members, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** A database keeps members in an order of its own, so the order says nothing. */
function isSame(before: unknown, after: unknown): boolean {
  if (before == null || after == null) return (before ?? null) === (after ?? null)
  return before === after || canonicalJson(before) === canonicalJson(after)
}
