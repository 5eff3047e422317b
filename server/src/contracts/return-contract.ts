import { reasonedDecision } from './reasoned-decision.ts'

export const returnContract = reasonedDecision({
  id: 'returnContract',
  move: 'return',
  summary: 'Return a contract to its preparers, with a reason. It becomes a draft again.',
  eventName: 'contract.returned',
})
