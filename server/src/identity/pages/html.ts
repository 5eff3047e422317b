/** Text that is HTML already. Everything else that enters a template is escaped. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Child = Markup | string | number | false | null | undefined | readonly Child[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** `html\`<p>${name}</p>\``. Attributes are written in double quotes. */
export function html(strings: TemplateStringsArray, ...children: readonly Child[]): Markup {
  let text = strings[0] as string
  for (const [index, child] of children.entries()) text += textOf(child) + strings[index + 1]
  return new Markup(text)
}

function textOf(child: Child): string {
  if (child instanceof Markup) return child.text
  if (child === false || child === null || child === undefined) return ''
  if (typeof child === 'object') return child.map(textOf).join('')
  return String(child).replace(/[&<>"']/g, (character) => ESCAPES[character] as string)
}
