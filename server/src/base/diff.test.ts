import { expect, test } from 'vitest'
import { diffOf } from './diff.ts'

test('no rows where nothing changed, whatever the order of the members', () => {
  expect(
    diffOf({ a: 1, b: { c: [1, { x: 1, y: 2 }] } }, { b: { c: [1, { y: 2, x: 1 }] }, a: 1 }),
  ).toEqual([])
  expect(diffOf(undefined, undefined)).toEqual([])
  expect(diffOf(null, undefined)).toEqual([])
  expect(diffOf({ a: null }, {})).toEqual([])
})

test('one row per changed place, named by its JSON pointer', () => {
  const before = { state: 'DRAFT', terms: { rate: '4.9', months: 48 }, note: 'x' }
  const after = { state: 'DRAFT', terms: { rate: '5.1', months: 48 }, ref: 'R-1' }
  expect(diffOf(before, after)).toEqual([
    { pointer: '/terms/rate', before: '4.9', after: '5.1' },
    { pointer: '/note', before: 'x', after: null },
    { pointer: '/ref', before: null, after: 'R-1' },
  ])
})

test('a missing side is taken apart into its members', () => {
  expect(diffOf(undefined, { a: { b: 1 }, c: 2 })).toEqual([
    { pointer: '/a/b', before: null, after: 1 },
    { pointer: '/c', before: null, after: 2 },
  ])
  expect(diffOf({ a: { b: 1 } }, null)).toEqual([{ pointer: '/a/b', before: 1, after: null }])
  expect(diffOf({ a: { b: 1 } }, { a: null })).toEqual([
    { pointer: '/a/b', before: 1, after: null },
  ])
})

test('lists are compared as a whole', () => {
  expect(diffOf({ a: [1, 2] }, { a: [2, 1] })).toEqual([
    { pointer: '/a', before: [1, 2], after: [2, 1] },
  ])
  expect(diffOf({ a: [] }, { a: {} })).toEqual([{ pointer: '/a', before: [], after: {} }])
})

test('values of another type differ, equal ones do not', () => {
  expect(diffOf({ a: '1' }, { a: 1 })).toEqual([{ pointer: '/a', before: '1', after: 1 }])
  expect(diffOf({ a: false }, { a: null })).toEqual([{ pointer: '/a', before: false, after: null }])
  expect(diffOf({ a: 0 }, {})).toEqual([{ pointer: '/a', before: 0, after: null }])
  expect(diffOf({ a: '' }, { a: '' })).toEqual([])
})

test('names are escaped in pointers (RFC 6901)', () => {
  expect(diffOf({}, { 'a/b': 1, 'c~d': 2, '': 3 })).toEqual([
    { pointer: '/a~1b', before: null, after: 1 },
    { pointer: '/c~0d', before: null, after: 2 },
    { pointer: '/', before: null, after: 3 },
  ])
})

test('what every object inherits is no member of it', () => {
  const given = JSON.parse('{"toString":"x","__proto__":"y","constructor":{"name":"z"}}')
  expect(diffOf({}, given)).toEqual([
    { pointer: '/toString', before: null, after: 'x' },
    { pointer: '/__proto__', before: null, after: 'y' },
    { pointer: '/constructor/name', before: null, after: 'z' },
  ])
  expect(diffOf(given, given)).toEqual([])
})
