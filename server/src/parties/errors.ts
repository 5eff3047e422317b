import { defineErrors } from '../base/errors.ts'

export const partyErrors = defineErrors({
  DUPLICATE_PARTY: {
    status: 409,
    title: 'This party seems to exist already.',
    when: 'A party with the same name and another mark in common, or with the same unmistakable mark, exists; `candidates` names them. `"allowDuplicate": true` creates it nevertheless.',
  },
})
