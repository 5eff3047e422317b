import { reasonedDecision } from './reasoned-decision.ts'

export const rejectContract = reasonedDecision({
  id: 'rejectContract',
  move: 'reject',
  summary: 'Reject a contract that another user prepared, with a reason. It ends there.',
  eventName: 'contract.rejected',
})
