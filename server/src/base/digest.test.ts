import { expect, test } from 'vitest'
import { sha256Hex, shortDigest } from './digest.ts'

/** FIPS 180-4 examples. */
test('SHA-256 in hexadecimal, of text and of bytes', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(sha256Hex('Ζωή')).toBe(sha256Hex(new TextEncoder().encode('Ζωή')))
})

test('a short digest is the beginning of the whole one', () => {
  expect(shortDigest('abc')).toBe('ba7816bf8f01cfea')
  expect(shortDigest('abc', 8)).toBe('ba7816bf')
})
