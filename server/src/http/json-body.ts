import { httpErrors } from './errors.ts'

export const DEEPEST_JSON = 32

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * An empty body counts as none, whatever its content type. Anything else is JSON in UTF-8 without
 * duplicate members: two readers of one text must never see two different requests.
 */
export function parseJsonBody(contentType: string | undefined, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  requireJsonType(contentType)
  const text = textOf(bytes)
  const value = parsed(text)
  checkMembers(text)
  return value
}

function requireJsonType(contentType: string | undefined): void {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charsets = parameters
    .map((text) => text.trim())
    .filter((text) => text.startsWith('charset='))
  const isUtf8 = charsets.every((charset) => /^charset="?utf-?8"?$/.test(charset))
  if (JSON_TYPE.test(type.trim()) && isUtf8) return
  throw httpErrors.UNSUPPORTED_MEDIA_TYPE(
    'Send the body as JSON in UTF-8, with Content-Type: application/json.',
  )
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw malformed('The body is not valid UTF-8.')
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON.')
  }
}

function malformed(detail: string) {
  return httpErrors.VALIDATION_FAILED(detail, {
    errors: [{ pointer: '', code: 'JSON_MALFORMED', detail }],
  })
}

/** Walks text that JSON.parse has accepted, so quotes, brackets and numbers can be trusted. */
function checkMembers(text: string): void {
  const open: (Set<string> | null)[] = []
  let expectsKey = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : null)
      expectsKey = char === '{'
      if (open.length > DEEPEST_JSON) {
        throw malformed(`The body is nested deeper than ${DEEPEST_JSON} levels.`)
      }
    } else if (char === '}' || char === ']') {
      open.pop()
      expectsKey = false
    } else if (char === ',') {
      expectsKey = open.at(-1) !== null
    } else if (char === '"') {
      const end = closingQuote(text, i)
      const word = JSON.parse(text.slice(i, end + 1)) as string
      checkText(word)
      if (expectsKey) checkKey(word, open.at(-1))
      expectsKey = false
      i = end
    } else if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) {
      i = checkedNumber(text, i)
    }
  }
}

const NUMBER = /[-+.0-9eE]+/y
const LONGEST_EXACT = 15

/** A number that a double cannot hold would be read as another one. Gives its last place. */
function checkedNumber(text: string, start: number): number {
  NUMBER.lastIndex = start
  const written = NUMBER.exec(text)?.[0] as string
  if (written.length > LONGEST_EXACT || /[eE]/.test(written)) {
    const value = Number(written)
    const isWhole = /^-?\d+$/.test(written)
    if (!Number.isFinite(value) || (isWhole && !Number.isSafeInteger(value))) {
      throw malformed('The body contains a number that is out of range.')
    }
  }
  return start + written.length - 1
}

/** What a database cannot keep, or would keep as something else. */
function checkText(word: string): void {
  if (word.includes('\0') || !word.isWellFormed()) {
    throw malformed('The body contains a NUL character or half a surrogate pair.')
  }
}

function closingQuote(text: string, start: number): number {
  let i = start + 1
  while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i
}

function checkKey(key: string, siblings: Set<string> | null | undefined): void {
  if (FORBIDDEN_KEYS.has(key)) throw malformed(`The member name ${key} is not allowed.`)
  if (siblings?.has(key)) {
    throw malformed(`The member ${JSON.stringify(key.slice(0, 64))} stands twice in one object.`)
  }
  siblings?.add(key)
}
