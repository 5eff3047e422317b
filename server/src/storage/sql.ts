/** A statement with its values apart: text never contains input. */
export class Statement {
  readonly text: string
  readonly values: readonly unknown[]

  constructor(text: string, values: readonly unknown[]) {
    this.text = text
    this.values = values
  }
}

const plainTexts = new WeakMap<TemplateStringsArray, string>()

/** `sql\`select … where id = ${id}\``. Nested statements are woven in, everything else is a parameter. */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  if (!values.some((value) => value instanceof Statement)) {
    return new Statement(plainTextOf(strings), values)
  }
  const flat: unknown[] = []
  let text = strings[0] as string
  for (const [index, value] of values.entries()) {
    if (value instanceof Statement) text += renumbered(value, flat)
    else text += `$${flat.push(value)}`
    text += strings[index + 1]
  }
  return new Statement(text, flat)
}

/** The same template gives the same text, so that prepared statements are found again. */
function plainTextOf(strings: TemplateStringsArray): string {
  let text = plainTexts.get(strings)
  if (text === undefined) {
    text = strings.reduce((left, right, index) => `${left}$${index}${right}`)
    plainTexts.set(strings, text)
  }
  return text
}

function renumbered(part: Statement, flat: unknown[]): string {
  const offset = flat.length
  flat.push(...part.values)
  return part.text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + offset}`)
}

export const nothing: Statement = new Statement('', [])

export function joined(parts: readonly Statement[], separator: string): Statement {
  const flat: unknown[] = []
  const text = parts.map((part) => renumbered(part, flat)).join(separator)
  return new Statement(text, flat)
}
