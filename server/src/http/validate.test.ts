import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { type FieldFault, Problem } from '../base/errors.ts'
import { Exact } from '../base/schema.ts'
import { validatorOf } from './validate.ts'

function faultsOf(check: (value: unknown) => void, value: unknown): readonly FieldFault[] {
  try {
    check(value)
    return []
  } catch (error) {
    if (error instanceof Problem) return error.members.errors ?? []
    throw error
  }
}

describe('faults of a body', () => {
  const check = validatorOf(
    Exact({
      currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'a code' })),
      country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', description: 'a country' })),
      text: Type.Optional(Type.String({ minLength: 1, maxLength: 5_000, pattern: '\\S' })),
      months: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 })),
      inner: Type.Optional(Exact({ 'a/b~c': Type.String() })),
    }),
    '',
  )

  test('each pattern is its own, however many a schema has', () => {
    expect(faultsOf(check, { currency: 'EUR', country: 'DE', text: 'x' })).toEqual([])
    expect(faultsOf(check, { currency: 'DE', country: 'EUR', text: ' ' })).toMatchObject([
      { pointer: '/currency', code: 'WRONG_FORMAT' },
      { pointer: '/country', code: 'WRONG_FORMAT' },
      { pointer: '/text', code: 'WRONG_FORMAT' },
    ])
  })

  test('text longer than anything with a pattern never fits', () => {
    expect(faultsOf(check, { text: 'x'.repeat(4_096) })).toEqual([])
    expect(faultsOf(check, { text: 'x'.repeat(4_097) })).toMatchObject([{ pointer: '/text' }])
  })

  test('values are taken as they are: "12" is no number', () => {
    for (const months of ['12', 1.5, 0, 601, Number.POSITIVE_INFINITY, null, [12], true])
      expect(faultsOf(check, { months }), String(months)).toMatchObject([{ pointer: '/months' }])
    expect(faultsOf(check, { months: 12 })).toEqual([])
  })

  test('a pointer says where, with slashes and tildes escaped', () => {
    expect(faultsOf(check, { inner: {} })).toMatchObject([
      { pointer: '/inner/a~1b~0c', code: 'REQUIRED' },
    ])
    expect(faultsOf(check, { 'x/y~z': 1 })).toMatchObject([
      { pointer: '/x~1y~0z', code: 'UNKNOWN_FIELD' },
    ])
    expect(faultsOf(check, 'text')).toMatchObject([{ pointer: '', code: 'WRONG_TYPE' }])
  })

  test('a long name is shown shortened, and fifty faults are enough', () => {
    const [fault] = faultsOf(check, { ['n'.repeat(500)]: 1 })
    expect(fault?.detail.length).toBeLessThan(120)
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`m${i}`, 1]))
    expect(faultsOf(check, many)).toHaveLength(50)
  })
})

test('query parameters are text: numbers and booleans are read from it', () => {
  const schema = Exact({
    limit: Type.Optional(Type.Integer()),
    dryRun: Type.Optional(Type.Boolean()),
  })
  const check = validatorOf(schema, '/query')
  const query: Record<string, unknown> = { limit: '12', dryRun: 'true' }
  check(query)
  expect(query).toEqual({ limit: 12, dryRun: true })
  for (const wrong of [
    { limit: 'x' },
    { limit: '' },
    { dryRun: '1' },
    { limit: ['1', '2'] },
    { limt: '1' },
  ])
    expect(faultsOf(check, wrong), JSON.stringify(wrong)).toHaveLength(1)
})
