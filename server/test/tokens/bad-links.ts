import type { RefusalReason } from '../../src/access/bearer/refusals.ts'
import type { BadToken, BadTokenCode } from './bad-token.ts'

const malformed: readonly (readonly [name: string, value: unknown])[] = [
  ['a number', 1],
  ['null', null],
  ['true', true],
  ['an empty string', ''],
  ['65 characters', 'x'.repeat(65)],
  ['an array', ['pty_1']],
  ['an empty array', []],
  ['an object', { id: 'pty_1' }],
  ['U+0000 inside', 'pty\0'],
  ['a lone surrogate inside', 'pty\ud800'],
]

function linkRows(claim: string, code: BadTokenCode, reason: RefusalReason): BadToken[] {
  return malformed.map(([name, value]) => ({
    name: `${claim} ${name}`,
    code,
    reason,
    overHttp: true,
    make: (issuer) => issuer.token({ [claim]: value }),
  }))
}

/** Platform contract, section 2: present but malformed is 403, never read as absent. */
export const linkTokens: readonly BadToken[] = [
  ...linkRows('partyId', 'PARTY_REQUIRED', 'PARTY_CLAIM'),
  ...linkRows('partnerId', 'PARTNER_REQUIRED', 'PARTNER_CLAIM'),
]
