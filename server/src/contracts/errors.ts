import { defineErrors } from '../base/errors.ts'

export const contractErrors = defineErrors({
  ALREADY_DECIDED: {
    status: 409,
    title: 'This submission has been decided already.',
    when: 'Someone approved, rejected or returned the submission before; the decision stands.',
  },
})
