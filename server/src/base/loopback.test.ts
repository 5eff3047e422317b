import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLoopbackHost, isLoopbackHostHeader } from './loopback.ts'

const LOOPBACK_HOSTS = [
  'localhost',
  'LocalHost',
  'localhost.',
  '127.0.0.1',
  '127.0.0.0',
  '127.255.255.255',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '::ffff:127.0.0.1',
  '::FFFF:7F00:1',
  '[::ffff:127.8.9.10]',
]

const OTHER_HOSTS = [
  '',
  ' ',
  '0.0.0.0',
  '::',
  '[::]',
  '126.255.255.255',
  '128.0.0.0',
  '10.0.0.1',
  '127.1',
  '127.0.0.1.',
  '127.0.0.01',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '2130706433',
  '::1%lo',
  '[::1%25lo]',
  'fe80::1%lo',
  '::2',
  '::127.0.0.1',
  '::ffff:128.0.0.1',
  '64:ff9b::127.0.0.1',
  '[127.0.0.1]',
  '[localhost]',
  '[::1',
  '::1]',
  '[[::1]]',
  'localhost..',
  '.localhost',
  'app.localhost',
  'localhost.evil.com',
  'localhost.localdomain',
  '127.0.0.1.evil.com',
  'evil.com#localhost',
  'user@localhost',
  ' localhost',
  'localhost ',
  'localhost\n',
  'localhost\0',
  'localhoſt',
  'ｌｏｃａｌｈｏｓｔ',
  'localhost:80',
  '127.0.0.1:80',
]

describe('isLoopbackHost', () => {
  test.each(LOOPBACK_HOSTS)('%j is loopback', (host) => {
    expect(isLoopbackHost(host)).toBe(true)
  })

  test.each(OTHER_HOSTS)('%j is not loopback', (host) => {
    expect(isLoopbackHost(host)).toBe(false)
  })

  test('an IPv4 address is loopback exactly in 127.0.0.0/8, mapped into IPv6 too', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const expected = address.startsWith('127.')
        expect(isLoopbackHost(address)).toBe(expected)
        expect(isLoopbackHost(`::ffff:${address}`)).toBe(expected)
      }),
    )
  })
})

describe('isLoopbackHostHeader', () => {
  test.each([
    'localhost',
    'localhost:8080',
    'LOCALHOST:1',
    'localhost.:8080',
    '127.0.0.1',
    '127.0.0.1:65535',
    '[::1]',
    '[::1]:8080',
    '[::ffff:127.0.0.1]:8080',
  ])('%j is loopback', (value) => {
    expect(isLoopbackHostHeader(value)).toBe(true)
  })

  test.each([
    undefined,
    '',
    ':8080',
    'localhost:',
    'localhost:65536',
    'localhost:123456',
    'localhost:80:80',
    'localhost:8080x',
    'localhost: 80',
    'localhost:8080, evil.com',
    'localhost,evil.com',
    '::1',
    '::1:8080',
    '[::1]8080',
    '[::1]:',
    '[::1',
    '[127.0.0.1]:80',
    'evil.com',
    'evil.com:80',
    'localhost.evil.com:8080',
    'localhost@evil.com',
    'evil.com\\localhost',
    'http://localhost',
    '0.0.0.0:8080',
    '10.0.0.1:8080',
  ])('%j is not loopback', (value) => {
    expect(isLoopbackHostHeader(value)).toBe(false)
  })
})
