import { defineErrors } from '../base/errors.ts'

export const storageErrors = defineErrors({
  UNAVAILABLE: {
    status: 503,
    title: 'The service cannot answer right now.',
    when: 'The database is away or overloaded, or the process is stopping. Try again after `Retry-After`; `detail` says when it is not known whether the work was kept.',
  },
})
