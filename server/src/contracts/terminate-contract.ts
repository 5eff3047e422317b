import { proposeEnding } from './propose-ending.ts'

export const terminateContract = proposeEnding({
  id: 'terminateContract',
  move: 'terminate',
  kind: 'TERMINATION',
  summary: 'Prepare the termination of an active contract; another user approves it.',
})
