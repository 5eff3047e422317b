/**
 * Canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space, ECMAScript numbers
 * and string escapes. `undefined` members are left out as in JSON.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, member]) => `${textOf(name)}:${canonicalJson(member)}`)
    return `{${members.join(',')}}`
  }
  if (typeof value === 'string') return textOf(value)
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError('Canonical JSON has no Infinity and no NaN.')
  }
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`Canonical JSON has no ${typeof value}.`)
  return text
}

/** RFC 8785, section 3.2.2.2: half a surrogate pair ends the work, two of them would look alike. */
function textOf(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('Canonical JSON has no half surrogate pairs.')
  return JSON.stringify(text)
}
