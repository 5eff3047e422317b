import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergePatch } from './merge-patch.ts'

/** RFC 7396, appendix A. */
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
] as const)('%j patched by %j is %j', (target, patch, result) => {
  expect(mergePatch(target, patch)).toEqual(result)
})

test('neither target nor patch is changed', () => {
  const target = Object.freeze({ a: Object.freeze({ b: 1 }) })
  const patch = Object.freeze({ a: Object.freeze({ c: 2, b: null }) })
  expect(mergePatch(target, patch)).toEqual({ a: { c: 2 } })
  expect(target).toEqual({ a: { b: 1 } })
})

test('a member called __proto__ is a member and nothing else', () => {
  const patch = JSON.parse('{"__proto__":{"state":"APPROVED"},"constructor":{"x":1}}')
  const merged = mergePatch({ a: 1 }, patch) as { state?: unknown }
  expect(merged.state).toBeUndefined()
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
  expect(Object.keys(merged)).toEqual(['a', '__proto__', 'constructor'])
  expect(({} as { state?: unknown }).state).toBeUndefined()
})

test('a patch without nulls is contained in the result, and applying it twice changes nothing', () => {
  const tree = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, fc.string(), fc.integer(), fc.boolean(), tie('object')),
    object: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  })).value
  fc.assert(
    fc.property(tree, tree, (target, patch) => {
      const once = mergePatch(target, patch)
      expect(mergePatch(once, patch)).toEqual(once)
    }),
  )
})
