const WIDTH = 100

/** JSON as the formatter of this project writes it, so that generated files pass its check. */
export function jsonText(value: unknown): string {
  return `${written(value, '', 0)}\n`
}

/** `used`: columns taken on the line before the value, its trailing comma included. */
function written(value: unknown, indent: string, used: number): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
    if (value.every(isScalar) && used + line.length <= WIDTH) return line
    const items = value.map((item) => inner + written(item, inner, inner.length + 1))
    return `[\n${items.join(',\n')}\n${indent}]`
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => {
      const key = `${inner}${JSON.stringify(name)}: `
      return key + written(member, inner, key.length + 1)
    })
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object'
}
