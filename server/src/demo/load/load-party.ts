import { folded } from '../../base/folded.ts'
import { diceOf } from './dice.ts'
import { type LoadPerson, loadPreparers } from './load-people.ts'
import {
  beganAt,
  firstContractOf,
  instantOf,
  type LoadPlan,
  loadIdOf,
  type Timeline,
} from './load-plan.ts'

/** A row of the table, under the names of its columns. */
export type TableRow = Readonly<Record<string, unknown>> & { readonly id: string }

const FIRST_NAMES = (
  'Anna Ben Clara David Emma Felix Greta Hugo Ida Jakob Klara Leon Mia Noah Olga Paul Rosa Sami ' +
  'Tara Uwe Vera Willi Yara Zoran Amira Boris Cem Dilan Erik Fatma Goran Hanna Ivo Jana Kai Lea'
).split(' ')
const LAST_NAMES = (
  'Adler Bauer Christensen Demir Engel Fischer Graf Hoffmann Ivanov Jansen Keller Lang Meyer ' +
  'Novak Okoye Petersen Quandt Richter Schmidt Thielen Ulrich Vogel Wagner Xander Yildiz Ziegler ' +
  'Arslan Brandt Costa Dietrich Ebert Frank Gruber Horvat Iversen Jung Kowalski Lorenz Martin'
).split(' ')
const BRANCHES = ['Bau', 'Logistik', 'Technik', 'Handel', 'Landwirtschaft', 'Medizin', 'Druck']
const LEGAL_FORMS = ['GmbH', 'AG', 'KG', 'GbR', 'eG']
const CITIES = [
  ['10115', 'Berlin'],
  ['20095', 'Hamburg'],
  ['50667', 'Köln'],
  ['80331', 'München'],
  ['01067', 'Dresden'],
  ['70173', 'Stuttgart'],
  ['28195', 'Bremen'],
] as const

/** Customers come a little before their first contract. */
const EARLIER_MS = 20 * 60_000

function cameAt(plan: LoadPlan, timeline: Timeline, index: number): number {
  return timeline(beganAt(plan, firstContractOf(index))) - EARLIER_MS
}

export function loadPartyId(plan: LoadPlan, timeline: Timeline, index: number): string {
  return loadIdOf('pty', cameAt(plan, timeline, index), plan, index)
}

export function loadPartyOf(
  plan: LoadPlan,
  timeline: Timeline,
  index: number,
  { ref, keys }: LoadPerson,
): TableRow {
  const dice = diceOf(plan.seed, 'party', index)
  const [firstName, lastName] = [dice.pick(FIRST_NAMES), dice.pick(LAST_NAMES)]
  const person = dice.chance(65)
    ? {
        firstName,
        lastName,
        birthDate: `${1950 + dice.below(55)}-0${1 + dice.below(9)}-1${dice.below(9)}`,
      }
    : null
  const legalForm = dice.pick(LEGAL_FORMS)
  const name = `${lastName} ${dice.pick(BRANCHES)} ${legalForm}`
  const displayName = person ? `${firstName} ${lastName}` : name
  const [postalCode, city] = dice.pick(CITIES)
  const at = instantOf(cameAt(plan, timeline, index))
  return {
    id: loadPartyId(plan, timeline, index),
    type: person ? 'PERSON' : 'ORGANISATION',
    person,
    organisation: person ? null : { name, legalForm },
    display_name: displayName,
    name_folded: folded(displayName),
    family_folded: person ? folded(`${lastName} ${firstName}`) : null,
    email: `${lastName.toLowerCase()}.${index}@example.org`,
    phone: `+4930${1_000_000 + dice.below(9_000_000)}`,
    address: {
      street: `${lastName}straße ${1 + dice.below(120)}`,
      postalCode,
      city,
      country: 'DE',
    },
    language: 'de',
    external_ref: dice.chance(20) ? `LOAD-${plan.seed}-P${index}` : null,
    state: 'ACTIVE',
    version: 1,
    preparers: keys,
    created_by: ref,
    created_at: at,
    updated_by: ref,
    updated_at: at,
  }
}

const KINDS = ['DEALER', 'BROKER', 'VENDOR'] as const

/** All of them were there on the first day. */
export function loadPartnerOf(plan: LoadPlan, index: number, firstDayMs: number): TableRow {
  const dice = diceOf(plan.seed, 'partner', index)
  const { ref } = loadPreparers[0] as LoadPerson
  const at = instantOf(firstDayMs)
  return {
    id: loadIdOf('ptn', firstDayMs, plan, index),
    code: `LOAD-${plan.seed}-${String(index + 1).padStart(4, '0')}`,
    name: `${dice.pick(LAST_NAMES)} ${dice.pick(BRANCHES)} ${index + 1}`,
    kind: dice.pick(KINDS),
    state: 'ACTIVE',
    version: 1,
    created_by: ref,
    created_at: at,
    updated_by: ref,
    updated_at: at,
  }
}

const ONE_SUSPENDED_IN = 20
const FIRST_SUSPENDED = 2

export function isSuspended(partnerIndex: number): boolean {
  return partnerIndex % ONE_SUSPENDED_IN === FIRST_SUSPENDED
}
