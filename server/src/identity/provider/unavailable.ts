import { errors } from 'oidc-provider'
import { Problem } from '../../base/errors.ts'
import { storageErrors } from '../../storage/errors.ts'

/**
 * oidc-provider shows errors below 500 only; this one says nothing that a stranger may not know.
 */
export class StoreAway extends errors.OIDCProviderError {
  override readonly expose = true
  override readonly allow_redirect = false
  override readonly error_description =
    'The identity provider cannot reach its database at the moment. Try again shortly.'

  constructor(cause: Problem) {
    super(storageErrors.UNAVAILABLE.status, 'temporarily_unavailable')
    this.cause = cause
  }
}

export async function whileStoreAnswers<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.kind === storageErrors.UNAVAILABLE) {
      throw new StoreAway(error)
    }
    throw error
  }
}
