import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import type { FieldFault } from '../base/errors.ts'
import { didYouMean } from './did-you-mean.ts'
import { httpErrors } from './errors.ts'

const MOST_FAULTS = 50
const SHOWN_CHARACTERS = 64

/** Patterns describe short things; what is longer than any of them never fits and is not searched. */
const LONGEST_PATTERNED = 4_096

interface Bounded {
  test(text: string): boolean
  toString(): string
}

/**
 * All faults are looked for, so a pattern would run on text whose length is at fault already. Ajv tells
 * patterns apart by their text: two that read alike would become one.
 */
function boundedRegExp(pattern: string, flags: string): Bounded {
  const expression = new RegExp(pattern, flags)
  return {
    test: (text) => text.length <= LONGEST_PATTERNED && expression.test(text),
    toString: () => String(expression),
  }
}

const shared = {
  allErrors: true,
  strict: false,
  removeAdditional: false,
  useDefaults: false,
  verbose: true,
  // Instants are read by the operation itself, which can say more than a pattern.
  formats: { 'date-time': true },
  code: { regExp: Object.assign(boundedRegExp, { code: 'boundedRegExp' }) },
} as const
/** Bodies are taken as they are: "12.5" is no number and 12.5 is no string. */
const bodies = new Ajv({ ...shared, coerceTypes: false })
/** Query parameters are text on the wire. */
const texts = new Ajv({ ...shared, coerceTypes: true })

export type Validator = (value: unknown) => void

/** `where` is the pointer's root: empty for the body, `/query` and `/path` for parameters. */
export function validatorOf(schema: TSchema, where: '' | '/query' | '/path'): Validator {
  const validate = (where === '' ? bodies : texts).compile(schema)
  return (value) => {
    if (validate(value)) return
    const errors = faultsOf(validate, where)
    throw httpErrors.VALIDATION_FAILED(
      errors.length === 1
        ? (errors[0] as FieldFault).detail
        : `The request has ${errors.length} faults; each is named in errors.`,
      { errors },
    )
  }
}

function faultsOf(validate: ValidateFunction, where: string): FieldFault[] {
  const faults = new Map<string, FieldFault>()
  for (const error of validate.errors ?? []) {
    if (faults.size === MOST_FAULTS) break
    if (error.keyword === 'anyOf' || error.keyword === 'if') continue
    const fault = faultOf(error, where)
    // Alternatives of one union complain about the same place: the first word is enough.
    if (!faults.has(fault.pointer)) faults.set(fault.pointer, fault)
  }
  return [...faults.values()]
}

function faultOf(error: ErrorObject, where: string): FieldFault {
  const at = where + error.instancePath
  const { params, keyword } = error
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty'])
    const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {})
    const near = didYouMean(name, known)
    const noun = where === '/query' ? 'parameter' : 'field'
    return {
      pointer: `${at}/${escaped(name)}`,
      code: where === '/query' ? 'UNKNOWN_PARAMETER' : 'UNKNOWN_FIELD',
      detail: `Unknown ${noun} ${quoted(name)}.${near ? ` Did you mean ${quoted(near)}?` : ''}`,
    }
  }
  if (keyword === 'required') {
    const name = String(params['missingProperty'])
    return {
      pointer: `${at}/${escaped(name)}`,
      code: 'REQUIRED',
      detail: `${quoted(name)} is required.`,
    }
  }
  const name = quoted(error.instancePath.split('/').at(-1) || 'The body')
  return { pointer: at, code: CODES[keyword] ?? 'INVALID', detail: sentenceOf(error, name) }
}

const CODES: Readonly<Record<string, string>> = {
  type: 'WRONG_TYPE',
  enum: 'NOT_ALLOWED',
  const: 'NOT_ALLOWED',
  pattern: 'WRONG_FORMAT',
  minLength: 'TOO_SHORT',
  maxLength: 'TOO_LONG',
  minimum: 'TOO_SMALL',
  maximum: 'TOO_LARGE',
  minItems: 'TOO_FEW',
  maxItems: 'TOO_MANY',
}

function sentenceOf({ keyword, params, schema, parentSchema }: ErrorObject, name: string): string {
  switch (keyword) {
    case 'type':
      return `${name} must be of type ${params['type']}.`
    case 'enum':
      return `${name} must be one of ${(schema as unknown[]).join(', ')}.`
    case 'const':
      return `${name} must be ${String(schema)}.`
    case 'pattern':
      return `${name} must look like ${(parentSchema?.['description'] as string) ?? schema}.`
    case 'minLength':
    case 'maxLength':
      return `${name} must have ${rangeOf(parentSchema, 'minLength', 'maxLength')} characters.`
    case 'minimum':
    case 'maximum':
      return `${name} must be ${rangeOf(parentSchema, 'minimum', 'maximum')}.`
    default:
      return `${name} is not valid (${keyword}).`
  }
}

function rangeOf(schema: Readonly<Record<string, unknown>> | undefined, low: string, high: string) {
  const [least, most] = [schema?.[low], schema?.[high]]
  if (least !== undefined && most !== undefined) return `${least} to ${most}`
  return least !== undefined ? `at least ${least}` : `at most ${most}`
}

function quoted(name: string): string {
  return name === 'The body' ? name : `"${name.slice(0, SHOWN_CHARACTERS)}"`
}

function escaped(name: string): string {
  return name.slice(0, SHOWN_CHARACTERS).replaceAll('~', '~0').replaceAll('/', '~1')
}
