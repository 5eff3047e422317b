import { proposeEnding } from './propose-ending.ts'

export const settleContract = proposeEnding({
  id: 'settleContract',
  move: 'settle',
  kind: 'SETTLEMENT',
  summary: 'Prepare the settlement of an active contract; another user approves it.',
})
