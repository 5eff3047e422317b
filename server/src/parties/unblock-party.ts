import { proposePartyMove } from './propose-party-move.ts'

export const unblockParty = proposePartyMove({
  id: 'unblockParty',
  action: 'unblock',
  kind: 'UNBLOCK',
  to: 'ACTIVE',
  summary: 'Propose to lift the block of a party; another user approves it.',
})
