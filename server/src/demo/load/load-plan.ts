import { readDate } from '../../base/dates.ts'
import { sha256Hex } from '../../base/digest.ts'
import { type IdPrefix, newId } from '../../base/ids.ts'
import { dayOfInstant } from '../days.ts'

/** What is to be loaded: the same plan gives the same rows, ids and numbers included. */
export interface LoadPlan {
  readonly contracts: number
  readonly seed: number
  /** The day on which everything stands as it is loaded; nothing happens on it or later. */
  readonly asOf: string
}

export const MOST_CONTRACTS = 10_000_000
export const MOST_SEED = 2 ** 32 - 1
/** A fixed day, because a moving one would make other rows tomorrow. */
export const DEFAULT_AS_OF = '2026-07-01'
export const DEFAULT_SEED = 1

/** What was asked for, within what can be loaded. */
export function loadPlanOf(
  given: { readonly contracts: number; readonly seed?: number; readonly asOf?: string },
  today: string,
): LoadPlan {
  const { contracts, seed = DEFAULT_SEED, asOf = DEFAULT_AS_OF } = given
  if (contracts < 1 || contracts > MOST_CONTRACTS) {
    throw new Error(`--contracts takes a number from 1 to ${MOST_CONTRACTS}.`)
  }
  if (seed > MOST_SEED) throw new Error(`--seed takes a number from 0 to ${MOST_SEED}.`)
  if (!readDate(asOf).ok || asOf > today) {
    throw new Error('--as-of takes a day up to today, such as 2026-07-01.')
  }
  return { contracts, seed, asOf }
}

const CONTRACTS_PER_PARTY = 3
const CONTRACTS_PER_PARTNER = 250
const [FEWEST_PARTNERS, MOST_PARTNERS] = [3, 400]

export function partyCountOf({ contracts }: LoadPlan): number {
  return Math.ceil(contracts / CONTRACTS_PER_PARTY)
}

/** Every third contract brings a new customer. */
export function newestPartyAt(contractIndex: number): number {
  return Math.floor(contractIndex / CONTRACTS_PER_PARTY)
}

/** The contract that a party came with. */
export function firstContractOf(party: number): number {
  return party * CONTRACTS_PER_PARTY
}

export function bringsParty(contractIndex: number): boolean {
  return contractIndex % CONTRACTS_PER_PARTY === 0
}

export function partnerCountOf({ contracts }: LoadPlan): number {
  const wanted = Math.round(contracts / CONTRACTS_PER_PARTNER)
  return Math.min(MOST_PARTNERS, Math.max(FEWEST_PARTNERS, wanted))
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const WEEKS = 156
const WORKING_DAYS_PER_WEEK = 5
const OPENS_MS = 7 * HOUR_MS
const OPEN_MS = 11 * HOUR_MS

/** Three years of working days, counted from 0; what lies between two of them is a time of day. */
export const WORKING_DAYS = WEEKS * WORKING_DAYS_PER_WEEK

/** Milliseconds since the epoch of a moment that is given in working days. */
export type Timeline = (workingDays: number) => number

export function timelineOf({ asOf }: LoadPlan): Timeline {
  const end = Date.parse(`${asOf}T00:00:00Z`)
  const sinceMonday = (new Date(end).getUTCDay() + 6) % 7
  const firstMonday = end - (sinceMonday + WEEKS * 7) * DAY_MS
  return (workingDays) => {
    const day = Math.floor(workingDays)
    const days = Math.floor(day / WORKING_DAYS_PER_WEEK) * 7 + (day % WORKING_DAYS_PER_WEEK)
    return firstMonday + days * DAY_MS + OPENS_MS + Math.floor((workingDays - day) * OPEN_MS)
  }
}

/** In working days: contracts are begun evenly over all of them, in their own order. */
export function beganAt({ contracts }: LoadPlan, index: number): number {
  return ((index + 0.5) / contracts) * WORKING_DAYS
}

export const instantOf = (ms: number): string => new Date(ms).toISOString()
export const dayAfter = (ms: number, days: number): string => dayOfInstant(ms + days * DAY_MS)

const RANDOM_CHARACTERS = 16
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** An id like any other, but with a digest where the others have randomness. */
export function loadIdOf(prefix: IdPrefix, ms: number, { seed }: LoadPlan, index: number): string {
  const digest = sha256Hex(`${prefix} ${seed} ${index}`)
  let tail = ''
  for (let at = 0; at < RANDOM_CHARACTERS * 2; at += 2) {
    tail += ALPHABET[Number.parseInt(digest.slice(at, at + 2), 16) & 31]
  }
  return newId(prefix, ms).slice(0, -RANDOM_CHARACTERS) + tail
}
