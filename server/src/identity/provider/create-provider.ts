import { Provider } from 'oidc-provider'
import { isSecret } from '../accounts/client-secret.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import type { IdentityLog } from '../log.ts'
import { issuerOf } from '../realm.ts'
import type { CheckCredentials } from '../sign-in/check-credentials.ts'
import { configurationOf, type RealmOptions } from './configuration.ts'
import { guardDeviceCodes } from './device-guard.ts'
import { speakAsKeycloak } from './keycloak-answers.ts'
import { replaceScriptedPages } from './own-pages.ts'
import { registerPasswordGrant } from './password-grant.ts'
import { StoreAway } from './unavailable.ts'

export interface ProviderOptions extends RealmOptions {
  readonly check: CheckCredentials
  readonly log: IdentityLog
}

/**
 * A provider for one set of keys. It holds no state of its own, so a rotation just makes another.
 */
export function createProvider(options: ProviderOptions, keys: SigningKeys): Provider {
  const provider = new Provider(issuerOf(options.port), configurationOf(options, keys))
  provider.Client.prototype.compareClientSecret = function compare(actual: string): boolean {
    return isSecret(actual, this.clientSecret ?? '')
  }
  if (options.passwordGrant) registerPasswordGrant(provider, options.check)
  replaceScriptedPages(provider)
  guardDeviceCodes(provider, options.deviceGuesses)
  speakAsKeycloak(provider)
  // Koa's own error handler writes to the console.
  const koa: NodeJS.EventEmitter = provider
  koa.on('error', (error: Error) => {
    options.log.error({ err: error }, 'The identity provider failed.')
  })
  provider.on('server_error', (ctx, error) => {
    options.log.error({ err: error, path: ctx.path }, 'The identity provider failed.')
  })
  const sayAway = (error: Error): void => {
    if (!(error instanceof StoreAway)) return
    options.log.warn({ err: error.cause }, 'The identity provider cannot reach its database.')
  }
  provider.on('grant.error', (_ctx, error) => sayAway(error))
  provider.on('authorization.error', (_ctx, error) => sayAway(error))
  return provider
}
