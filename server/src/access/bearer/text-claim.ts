const FIRST_PRINTABLE = 0x20
const DELETE = 0x7f

/**
 * Text that a database and a log line can hold: 1 to `longest` UTF-16 units, no control characters
 * (PostgreSQL refuses U+0000) and no lone surrogates (stored, two of them would become equal).
 */
export function isText(value: unknown, longest: number): value is string {
  if (typeof value !== 'string' || value.length === 0 || value.length > longest) return false
  if (!value.isWellFormed()) return false
  for (let index = 0; index < value.length; index++) {
    const unit = value.charCodeAt(index)
    if (unit < FIRST_PRINTABLE || unit === DELETE) return false
  }
  return true
}

export function isBlank(text: string): boolean {
  return text.trim() === ''
}
