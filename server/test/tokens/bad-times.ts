import type { Members, TestIssuer } from '../issuer.ts'
import { type BadToken, expired, invalid } from './bad-token.ts'

type Reason = 'TIMES' | 'LIFE' | 'NOT_YET'

const DAY = 86_400
const SKEW = 10

const at = (reason: Reason, name: string, members: (now: number) => Members): BadToken =>
  invalid(reason, name, (issuer) => issuer.token(members(issuer.now())))

const late = (name: string, members: (now: number) => Members): BadToken =>
  expired(name, (issuer) => issuer.token(members(issuer.now())))

/** Numbers that JSON can write and `JSON.stringify` cannot. */
const written = (name: string, claim: string, number: string): BadToken =>
  invalid('TIMES', name, (issuer) =>
    issuer.rawToken(issuer.header(), withNumber(issuer, claim, number)),
  )

function withNumber(issuer: TestIssuer, claim: string, number: string): string {
  return JSON.stringify(issuer.claims({ [claim]: '@' })).replace('"@"', number)
}

/** Security rule 3: not expired, not from the future, life within the setting, skew 10 s. */
export const timeTokens: readonly BadToken[] = [
  late('exp just beyond the skew', (now) => ({ iat: now - 400, exp: now - SKEW })),
  late('exp of yesterday', (now) => ({ iat: now - DAY - 300, exp: now - DAY })),
  late('exp at the epoch', () => ({ iat: -300, exp: 0 })),
  late('a negative exp', () => ({ iat: -300, exp: -1 })),
  late('exp as a fraction, expired', (now) => ({ iat: now - 400, exp: now - SKEW - 0.5 })),
  at('TIMES', 'no exp', () => ({ exp: undefined })),
  at('TIMES', 'exp null', () => ({ exp: null })),
  at('TIMES', 'exp a string', (now) => ({ exp: String(now + 300) })),
  at('TIMES', 'exp a date', () => ({ exp: '2099-01-01T00:00:00Z' })),
  at('TIMES', 'exp true', () => ({ exp: true })),
  at('TIMES', 'exp an array', (now) => ({ exp: [now + 300] })),
  at('LIFE', 'exp in milliseconds', (now) => ({ exp: (now + 300) * 1000 })),
  at('LIFE', 'an absurd exp', () => ({ exp: Number.MAX_SAFE_INTEGER })),
  at('TIMES', 'exp before iat', (now) => ({ iat: now + 5, exp: now })),
  at('TIMES', 'exp equal to iat', (now) => ({ iat: now, exp: now })),
  written('exp beyond every number', 'exp', '1e999'),
  written('iat below every number', 'iat', '-1e999'),
  written('nbf below every number', 'nbf', '-1e999'),
  at('TIMES', 'no iat', () => ({ iat: undefined })),
  at('TIMES', 'iat null', () => ({ iat: null })),
  at('TIMES', 'iat a string', (now) => ({ iat: String(now) })),
  at('TIMES', 'iat an object', () => ({ iat: {} })),
  at('NOT_YET', 'iat from the future', (now) => ({ iat: now + 60, exp: now + 300 })),
  at('NOT_YET', 'iat from the future, nbf from the past', (now) => ({ iat: now + 60, nbf: now })),
  at('NOT_YET', 'iat from next year', (now) => ({
    iat: now + 365 * DAY,
    exp: now + 365 * DAY + 300,
  })),
  at('LIFE', 'iat at the epoch', (now) => ({ iat: 0, exp: now + 300 })),
  at('LIFE', 'a life of a day and a second', (now) => ({ iat: now - 5, exp: now + DAY - 4 })),
  at('LIFE', 'a life of ten years', (now) => ({ exp: now + 3650 * DAY })),
  at('NOT_YET', 'nbf in a minute', (now) => ({ nbf: now + 60 })),
  at('TIMES', 'nbf a string', (now) => ({ nbf: String(now) })),
  at('TIMES', 'nbf null', () => ({ nbf: null })),
  at('TIMES', 'nbf true', () => ({ nbf: true })),
]
