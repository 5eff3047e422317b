import { generateKeyPairSync } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ReadKeys, readSigningKeys } from './signing-keys.ts'

const RS256 = new Set(['RS256'])
let rsa: JWK
let otherRsa: JWK
let ec: JWK

beforeAll(async () => {
  const [first, second, third] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('ES256', { extractable: true }),
  ])
  rsa = await exportJWK(first.publicKey)
  otherRsa = await exportJWK(second.publicKey)
  ec = await exportJWK(third.publicKey)
})

const good = (): JWK => ({ ...rsa, kid: 'good', alg: 'RS256', use: 'sig' })

function read(keys: unknown[], algorithms: ReadonlySet<string> = RS256): Promise<ReadKeys> {
  return readSigningKeys({ keys }, algorithms, new Map())
}

async function kidsOf(keys: unknown[], algorithms?: ReadonlySet<string>): Promise<string[]> {
  return [...(await read([good(), ...keys], algorithms)).keys.keys()]
}

describe('a published key', () => {
  test.each<[string, JWK]>([
    ['as Keycloak states it', { alg: 'RS256', use: 'sig' }],
    ['without use', { alg: 'RS256' }],
    ['without alg, where only one of ours fits', { use: 'sig' }],
    ['with key_ops verify', { alg: 'RS256', key_ops: ['verify'] }],
  ])('is used: %s', async (_, members) => {
    expect(await kidsOf([{ ...otherRsa, kid: 'other', ...members }])).toEqual(['good', 'other'])
  })

  test.each<[string, object]>([
    ['for encryption', { use: 'enc' }],
    ['with an empty use', { use: '' }],
    ['with use null', { use: null }],
    ['with key_ops sign only', { key_ops: ['sign'] }],
    ['with key_ops that is no array', { key_ops: 'verify' }],
    ['for another algorithm', { alg: 'RS512' }],
    ['for another algorithm of its kind', { alg: 'PS256' }],
    ['for encryption by alg', { alg: 'RSA-OAEP' }],
    ['with alg none', { alg: 'none' }],
    ['with alg null', { alg: null }],
    ['without kid', { kid: undefined }],
    ['with an empty kid', { kid: '' }],
    ['with kid a number', { kid: 1 }],
    ['of another kind', { kty: 'EC' }],
    ['of no kind', { kty: undefined }],
    ['without a modulus', { n: undefined }],
    ['with a modulus that is a number', { n: 5 }],
    ['with a broken modulus', { n: '!!' }],
    ['with its private half', { d: 'AQAB' }],
  ])('is not used: %s', async (_, members) => {
    const spoilt = { ...otherRsa, kid: 'other', alg: 'RS256', ...members }
    expect(await kidsOf([spoilt])).toEqual(['good'])
  })

  test.each([null, 'key', 7, [], {}, [good]])('is not used when it is %j', async (entry) => {
    expect(await kidsOf([entry])).toEqual(['good'])
  })

  test('is not used when it is a secret, whatever it calls itself', async () => {
    const secret = { kty: 'oct', k: 'c2VjcmV0', kid: 'other', use: 'sig' }
    expect(
      await kidsOf([
        { ...secret, alg: 'HS256' },
        { ...secret, alg: 'RS256' },
      ]),
    ).toEqual(['good'])
  })

  test('is not used below 2048 bits', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const weak = { ...publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256' }
    const { keys, faults } = await read([good(), weak])
    expect([...keys.keys()]).toEqual(['good'])
    expect(faults.join()).toContain('2048')
  })

  test('is not used when two bear its name; the same one twice is one', async () => {
    const twin = { ...otherRsa, kid: 'twin', alg: 'RS256' }
    expect(await kidsOf([twin, { ...rsa, kid: 'twin', alg: 'RS256' }])).toEqual(['good'])
    expect(await kidsOf([twin, twin])).toEqual(['good', 'twin'])
  })

  test('is used for its own algorithm', async () => {
    const both = new Set(['RS256', 'RS512', 'ES256'])
    const keys = [
      { ...otherRsa, kid: 'rs512', alg: 'RS512' },
      { ...ec, kid: 'es256', alg: 'ES256' },
      { ...ec, kid: 'es384', alg: 'ES384' },
      { ...otherRsa, kid: 'unstated' },
    ]
    const read = await readSigningKeys({ keys }, both, new Map())
    expect([...read.keys.values()].map(({ kid, alg }) => [kid, alg])).toEqual([
      ['rs512', 'RS512'],
      ['es256', 'ES256'],
    ])
  })
})

describe('a key set without a usable key is garbage', () => {
  test.each<[string, object]>([
    ['nothing', {}],
    ['keys null', { keys: null }],
    ['keys an object', { keys: { 0: {}, length: 1 } }],
    ['no key', { keys: [] }],
    ['a key of nobody', { keys: [{}] }],
  ])('%s', async (_, document) => {
    const outcome = readSigningKeys({ ...document }, RS256, new Map())
    await expect(outcome).rejects.toMatchObject({ kind: 'GARBAGE' })
  })
})
