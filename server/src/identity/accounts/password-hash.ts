import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

interface Cost {
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP's recommendation for argon2id. Old hashes keep the cost that they were made with. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
const VERSION = 19
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/

/**
 * A hash in PHC form, so that its parameters stay with it: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`.
 */
export async function passwordHashOf(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const tag = await tagOf(password, salt, COST, TAG_BYTES)
  const { memory, passes, parallelism } = COST
  const cost = `m=${memory},t=${passes},p=${parallelism}`
  return `$argon2id$v=${VERSION}$${cost}$${unpadded(salt)}$${unpadded(tag)}`
}

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(hash) ?? []
  if (salt === undefined || tag === undefined) throw new Error('A stored password hash is damaged.')
  const expected = Buffer.from(tag, 'base64')
  const cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  }
  const actual = await tagOf(password, Buffer.from(salt, 'base64'), cost, expected.length)
  return timingSafeEqual(actual, expected)
}

/**
 * A name that nobody has costs what a wrong password costs: this hash, of nothing anyone could
 * type.
 */
export const nobodysHash: Promise<string> = passwordHashOf(randomBytes(TAG_BYTES).toString('hex'))

function tagOf(password: string, nonce: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  // One spelling of composed characters, whatever keyboard typed them.
  return derive('argon2id', { message: password.normalize('NFC'), nonce, ...cost, tagLength })
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
