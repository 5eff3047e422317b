import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

test('the sample of RFC 8785, section 3.2', () => {
  const given = JSON.parse(`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
    "literals": [null, true, false]
  }`)
  expect(canonicalJson(given)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})

test('members are sorted by UTF-16 code units (RFC 8785, section 3.2.3)', () => {
  const given = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  expect(Object.values(JSON.parse(canonicalJson(given)))).toEqual([
    'One',
    ...['Carriage Return', 'Control', 'Latin Small Letter O With Diaeresis', 'Euro Sign'],
    ...['Emoji: Grinning Face', 'Hebrew Letter Dalet With Dagesh'],
  ])
  expect(canonicalJson(given).indexOf('Emoji')).toBeLessThan(canonicalJson(given).indexOf('Hebrew'))
})

/** RFC 8785, appendix B. */
test.each([
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
])('the number %s is written %s', (bits, text) => {
  expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text)
})

test('what JSON cannot say is refused, undefined members are left out', () => {
  expect(canonicalJson({ b: undefined, a: [undefined, null] })).toBe('{"a":[null,null]}')
  for (const value of [Number.NaN, Infinity, -Infinity, undefined, () => 1, Symbol('x'), 1n]) {
    expect(() => canonicalJson(value)).toThrow(TypeError)
  }
  expect(() => canonicalJson({ a: { b: [Number.NaN] } })).toThrow(TypeError)
})

test('half a surrogate pair is refused (RFC 8785, section 3.2.2.2)', () => {
  expect(() => canonicalJson('\ud800')).toThrow(TypeError)
  expect(() => canonicalJson({ '\udead': 1 })).toThrow(TypeError)
  expect(canonicalJson('\ud83d\ude00')).toBe('"😀"')
})

test('the same value has the same text, whatever the order of its members', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }), (value) => {
      const text = canonicalJson(value)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(reversed(value))).toBe(text)
      expect(canonicalJson(JSON.parse(text))).toBe(text)
    }),
  )
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  )
}
