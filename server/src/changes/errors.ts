import { defineErrors } from '../base/errors.ts'

export const changeErrors = defineErrors({
  ALREADY_DECIDED: {
    status: 409,
    title: 'This has been decided already.',
    when: 'Someone approved, rejected or returned the submission or change before; the decision stands.',
  },
  CHANGE_ALREADY_PENDING: {
    status: 409,
    title: 'A change of this item is waiting already.',
    when: 'An item has one open change at a time; decide or withdraw that one first.',
  },
})
