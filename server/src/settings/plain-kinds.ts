import { itemsOf, type Kind } from './kind.ts'
import { quoted } from './settings-error.ts'

const HIGHEST_PORT = 65_535
const SERVICE_LINK = /^(?:tcp|udp|sctp):\/\//
const SWITCH: Readonly<Record<string, boolean>> = { true: true, on: true, false: false, off: false }

export function wholeNumber(least: number, most: number, note = ''): Kind<number> {
  return {
    allowed: `a whole number from ${least} to ${most}${note}`,
    parse(text, refuse) {
      if (!/^\d+$/.test(text)) refuse(`is not a whole number${quoted(text)}`)
      const value = Number(text)
      if (value < least || value > most) refuse(`is out of range${quoted(text)}`)
      return value
    },
  }
}

export function port(least: 0 | 1): Kind<number> {
  const number = wholeNumber(least, HIGHEST_PORT, least === 0 ? '; `0` takes any free port' : '')
  return {
    allowed: number.allowed,
    parse(text, refuse) {
      if (SERVICE_LINK.test(text)) {
        refuse('was set by a service link of the cluster (`enableServiceLinks: false` ends that)')
      }
      return number.parse(text, refuse)
    },
  }
}

export function choice<const Choice extends string>(...choices: readonly Choice[]): Kind<Choice> {
  return {
    allowed: choices.map((one) => `\`${one}\``).join(', '),
    parse: (text, refuse) =>
      choices.find((one) => one === text) ?? refuse(`is none of the choices${quoted(text)}`),
  }
}

export const onOff: Kind<boolean> = {
  allowed: '`true` or `on`, `false` or `off`',
  parse: (text, refuse) =>
    (Object.hasOwn(SWITCH, text) ? SWITCH[text] : undefined) ??
    refuse(`is neither on nor off${quoted(text)}`),
}

/** Visible ASCII without blank or comma, as identifiers of OAuth are in practice. */
export function identifier(longest: number): Kind<string> {
  return {
    allowed: `1 to ${longest} visible ASCII characters without blank and comma`,
    parse(text, refuse) {
      if (text.length > longest) refuse('is too long')
      if (!/^[!-+\--~]+$/.test(text)) refuse('has a character that is not allowed')
      return text
    },
  }
}

export function identifiers(longest: number, most: number): Kind<readonly string[]> {
  const item = identifier(longest)
  return {
    allowed: `up to ${most} names separated by commas, each ${item.allowed}; no \`*\``,
    parse(text, refuse) {
      const items = itemsOf(text, refuse)
      if (items.length > most) refuse('has too many items')
      if (items.includes('*')) refuse('has a `*`, which names nobody')
      return items.map((one) => item.parse(one, refuse))
    },
  }
}

export function claimName(longest: number): Kind<string> {
  return {
    allowed: `the name of a claim: a letter, then letters, digits and \`_ . : / -\`, up to ${longest}`,
    parse(text, refuse) {
      if (text.length > longest) refuse('is too long')
      return /^[A-Za-z][\w.:/-]*$/.test(text) ? text : refuse('is not the name of a claim')
    },
  }
}

export const directory: Kind<string> = {
  allowed: 'the path of a directory',
  parse: (text, refuse) => (text.includes('://') ? refuse('is a URL, not a path') : text),
}

export const timeZone: Kind<string> = {
  allowed: 'a name of the IANA time zone database such as `Europe/Berlin`',
  parse(text, refuse) {
    const fault = `is not a known time zone${quoted(text)}`
    // Offsets such as +01:00 pass Intl but know no summer time.
    if (!/^[A-Za-z][\w+/-]*$/.test(text)) refuse(fault)
    try {
      new Intl.DateTimeFormat('en', { timeZone: text })
      return text
    } catch (error) {
      if (error instanceof RangeError) return refuse(fault)
      throw error
    }
  },
}

export const foreignText: Kind<string> = {
  allowed: 'any text',
  parse: (text) => text,
  foreign: true,
}
