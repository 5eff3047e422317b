import { randomFillSync } from 'node:crypto'

export type IdPrefix = 'ctr' | 'pty' | 'ptn' | 'chg' | 'rep' | 'req' | 'evt' | 'aud' | 'nte'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARACTERS = 10
const RANDOM_BYTES = 16
const POOL = new Uint8Array(RANDOM_BYTES * 64)
let used = POOL.length

/** `ctr_` + 10 characters of milliseconds + 16 random ones (80 bits): ids sort by time. */
export function newId(prefix: IdPrefix, now: number = Date.now()): string {
  let time = ''
  for (let rest = now, i = 0; i < TIME_CHARACTERS; i++) {
    time = ALPHABET[rest % 32] + time
    rest = Math.floor(rest / 32)
  }
  if (used === POOL.length) {
    randomFillSync(POOL)
    used = 0
  }
  let random = ''
  for (const end = used + RANDOM_BYTES; used < end; used++) {
    random += ALPHABET[(POOL[used] as number) & 31]
  }
  return `${prefix}_${time}${random}`
}
