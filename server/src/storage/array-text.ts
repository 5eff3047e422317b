/** PostgreSQL's text form of arrays, `{a,"b c",NULL}`, written once for both stores. */
export type ElementParser = (text: string) => unknown
export type ElementWriter = (value: unknown) => string

export function arrayOf(text: string, parse: ElementParser): unknown[] {
  // `[2:4]={…}` carries bounds that JavaScript arrays do not have.
  const start = text.indexOf('{')
  const [items, end] = itemsFrom(text, start + 1, parse)
  if (start < 0 || end !== text.length) throw new TypeError('Not the text of a PostgreSQL array.')
  return items
}

function itemsFrom(text: string, from: number, parse: ElementParser): [unknown[], number] {
  const items: unknown[] = []
  let at = from
  while (at < text.length) {
    const character = text[at]
    if (character === '}') return [items, at + 1]
    if (character === ',') at++
    else if (character === '{') {
      const [nested, end] = itemsFrom(text, at + 1, parse)
      items.push(nested)
      at = end
    } else if (character === '"') {
      const [quoted, end] = quotedFrom(text, at + 1)
      items.push(parse(quoted))
      at = end
    } else {
      const end = endOfPlain(text, at)
      const plain = text.slice(at, end)
      items.push(plain === 'NULL' ? null : parse(plain))
      at = end
    }
  }
  return [items, -1]
}

function quotedFrom(text: string, from: number): [string, number] {
  let value = ''
  let at = from
  while (at < text.length && text[at] !== '"') {
    if (text[at] === '\\') at++
    value += text[at]
    at++
  }
  return [value, at + 1]
}

function endOfPlain(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== ',' && text[at] !== '}') at++
  return at
}

export function arrayTextOf(values: readonly unknown[], write: ElementWriter): string {
  const items = values.map((value) => {
    if (value === null) return 'NULL'
    if (value === undefined) throw new TypeError('An array parameter contains undefined.')
    if (Array.isArray(value)) return arrayTextOf(value, write)
    return `"${write(value).replace(/["\\]/g, '\\$&')}"`
  })
  return `{${items.join(',')}}`
}
