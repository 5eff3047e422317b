import { defineErrors } from '../base/errors.ts'

export const storageErrors = defineErrors({
  UNAVAILABLE: {
    status: 503,
    title: 'The service cannot answer right now.',
    when: 'The database is away or overloaded, or the process is stopping. Nothing was changed; try again after `Retry-After`.',
  },
})
