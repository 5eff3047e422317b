import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { errorPage } from '../pages/notice-pages.ts'
import { PATHS } from '../realm.ts'
import type { DeviceGuesses } from '../sign-in/device-guesses.ts'
import { addressOf } from './address.ts'
import { showPage } from './sources.ts'
import { tooManyText } from './too-many-attempts.ts'

const TOO_MANY_REQUESTS = 429

/** Who guessed too often waits before the next code is even looked up. */
export function guardDeviceCodes(provider: Provider, guesses: DeviceGuesses): void {
  provider.use(async (context, next) => {
    const ctx = context as KoaContextWithOIDC
    const isTyped = ctx.method === 'POST' && ctx.path === PATHS.device
    const seconds = isTyped ? guesses.secondsBlocked(addressOf(ctx.req)) : 0
    if (seconds === 0) return next()
    ctx.set('retry-after', String(seconds))
    showPage(
      ctx,
      errorPage({
        ...{ status: TOO_MANY_REQUESTS, heading: 'Too many tries', text: tooManyText(seconds) },
      }),
    )
  })
}
