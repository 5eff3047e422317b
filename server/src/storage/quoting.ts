/** For the few statements that take no parameters: names and literals of DDL. */
export function quotedName(name: string): string {
  requireNoNul(name)
  return `"${name.replaceAll('"', '""')}"`
}

/** The E form reads the same whatever `standard_conforming_strings` says. */
export function quotedLiteral(text: string): string {
  requireNoNul(text)
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

function requireNoNul(text: string): void {
  if (text.includes('\0')) throw new TypeError('PostgreSQL texts cannot contain a NUL character.')
}
