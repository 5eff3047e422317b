import { type Clock, systemClock } from '../../base/clock.ts'
import { rotateSigningKeys } from './signing-keys.ts'

export interface RotateOptions {
  /** The old keys are gone at once, and every token they signed with them. */
  readonly withdraw?: boolean
  readonly clock?: Clock
}

/** A running provider follows within seconds, and the API when it meets the first new token. */
export async function rotateKeys(
  keyDir: string,
  { withdraw = false, clock = systemClock }: RotateOptions = {},
): Promise<{ readonly kid: string; readonly published: number }> {
  const now = Math.floor(clock() / 1000)
  const keys = await rotateSigningKeys(keyDir, { now, withdraw })
  return { kid: keys[0].kid, published: keys.length }
}
