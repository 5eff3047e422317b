import { requireErasable } from './erasable.ts'
import { proposePartyMove } from './propose-party-move.ts'

export const eraseParty = proposePartyMove({
  id: 'eraseParty',
  action: 'erase',
  kind: 'ERASURE',
  to: 'ERASED',
  check: requireErasable,
  summary: 'Propose the erasure of a party’s personal data; another user approves it.',
})
