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
        before[name],
        after[name],
        `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      ),
    )
  }
  if (isRecord(after) && before == null) return diffOf({}, after, pointer)
  if (isRecord(before) && after == null) return diffOf(before, {}, pointer)
  if (isSame(before, after)) return []
  return [{ pointer, before: before ?? null, after: after ?? null }]
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function isSame(before: unknown, after: unknown): boolean {
  if (before == null || after == null) return (before ?? null) === (after ?? null)
  return before === after || JSON.stringify(before) === JSON.stringify(after)
}
