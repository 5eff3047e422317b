import { Ajv } from 'ajv'
import { type TSchema, Type } from 'typebox'
import { expect, test } from 'vitest'
import {
  CalendarDay,
  Exact,
  Id,
  MoneyAmount,
  Nullable,
  OneOf,
  PercentPerYear,
  Text,
} from './schema.ts'

const ajv = new Ajv({ strict: false, formats: { 'date-time': true } })
const accepts = (schema: TSchema, value: unknown): boolean => ajv.compile(schema)(value)

test('text is something visible, up to its length in characters', () => {
  const text = Text(5)
  for (const good of ['a', 'a b', ' a ', '12345', '😀😀😀😀😀', 'né', '\na', 'ß', '漢字']) {
    expect(accepts(text, good), JSON.stringify(good)).toBe(true)
  }
  for (const bad of ['', ' ', '\t\n', '\u00a0', '\u200b', '\u200d\u200d', '\ufeff', '\u00ad']) {
    expect(accepts(text, bad), JSON.stringify(bad)).toBe(false)
  }
  for (const bad of ['\u0007', '\u2800', '\u3164', '\u202e', '123456', '😀😀😀😀😀😀', 1, null]) {
    expect(accepts(text, bad), JSON.stringify(bad)).toBe(false)
  }
})

test('an exact object takes the declared members and no others', () => {
  const exact = Exact({ a: Type.String(), b: Type.Optional(Type.Integer()) })
  expect(accepts(exact, { a: 'x' })).toBe(true)
  expect(accepts(exact, { a: 'x', b: 1 })).toBe(true)
  expect(accepts(exact, { a: 'x', c: 1 })).toBe(false)
  expect(accepts(exact, {})).toBe(false)
  expect(accepts(Exact({}, { minProperties: 1 }), {})).toBe(false)
})

test('one of some words, and nothing near them', () => {
  const word = OneOf(['LOAN', 'LEASE'])
  expect(accepts(word, 'LOAN')).toBe(true)
  for (const bad of ['loan', 'LOAN ', '', null, ['LOAN']]) expect(accepts(word, bad)).toBe(false)
})

test('a nullable value is the value or null', () => {
  const nullable = Nullable(Type.String({ minLength: 2 }))
  expect(accepts(nullable, null)).toBe(true)
  expect(accepts(nullable, 'ab')).toBe(true)
  expect(accepts(nullable, 'a')).toBe(false)
  expect(accepts(nullable, 1)).toBe(false)
})

test('ids, days, money and rates are texts of a form; their sense is read elsewhere', () => {
  expect(accepts(Id, 'x'.repeat(64))).toBe(true)
  expect(accepts(Id, 'x'.repeat(65))).toBe(false)
  expect(accepts(Id, '')).toBe(false)
  expect(accepts(CalendarDay, '2026-02-31')).toBe(true)
  for (const bad of ['2026-2-3', '2026-02-31T00:00', '26-02-31', '2026-02-31\n', 20260231]) {
    expect(accepts(CalendarDay, bad)).toBe(false)
  }
  expect(accepts(MoneyAmount, { amount: '1', currency: 'EUR' })).toBe(true)
  for (const bad of [
    { amount: 1, currency: 'EUR' },
    { amount: '1' },
    { amount: '1', currency: 'eur' },
  ]) {
    expect(accepts(MoneyAmount, bad)).toBe(false)
  }
  expect(accepts(PercentPerYear, '4.9')).toBe(true)
  expect(accepts(PercentPerYear, 4.9)).toBe(false)
})
