import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folded } from './folded.ts'

test.each([
  ['ana', 'ANA'],
  ['ana', 'Ana'],
  ['ana', ' ana\t'],
  ['ana', 'ａｎａ'],
  ['ana', 'a\u200bna\u00ad'],
  ['ana', 'ana\ufeff'],
  ['josé', 'JOSE\u0301'],
  ['straße', 'STRASSE'],
  ['νίκος', 'ΝΊΚΟΣ'],
  ['ofﬁce', 'OFFICE'],
  ['Iğdır', 'IĞDIR'],
  ['kelvin', '\u212aelvin'],
  ['anna maria', 'Anna  \u00a0Maria'],
])('%j and %j are one name', (one, other) => {
  expect(folded(one)).toBe(folded(other))
})

test.each([
  ['ana', 'anna'],
  ['ana', 'аna'],
  ['jose', 'josé'],
  ['a b', 'ab'],
])('%j and %j are two names', (one, other) => {
  expect(folded(one)).not.toBe(folded(other))
})

test('folding twice is folding once, in any script and any case', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(folded(folded(text))).toBe(folded(text))
    }),
    { numRuns: 2_000 },
  )
})

test('a name of which nothing can be seen is still a name', () => {
  expect(folded('\u200b')).toBe('\u200b')
  expect(folded('')).toBe('')
})

test('a beginning stays a beginning, so that prefixes are found', () => {
  expect(folded('Straßenbau GmbH').startsWith(folded('STRASSENB'))).toBe(true)
  expect(folded('Müller & Söhne').startsWith(folded('müller &'))).toBe(true)
})
