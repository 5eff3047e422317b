import type { Clock } from '../../base/clock.ts'
import { FREE_FAILURES_OF_ADDRESS } from './attempts.ts'
import { createCounters } from './failure-counters.ts'

/**
 * RFC 8628, 5.1: codes that people type are short, so guesses at them are slowed down by address.
 */
export interface DeviceGuesses {
  secondsBlocked(address: string): number
  missed(address: string): void
}

export function createDeviceGuesses(clock: Clock): DeviceGuesses {
  const addresses = createCounters(FREE_FAILURES_OF_ADDRESS, clock)
  return {
    secondsBlocked: (address) => addresses.of(address).secondsBlocked(),
    missed(address) {
      const counter = addresses.of(address)
      counter.begin()
      counter.end(1)
    },
  }
}
