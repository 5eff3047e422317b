import { type Static, Type } from 'typebox'
import { readDate } from '../base/dates.ts'
import type { FieldFault } from '../base/errors.ts'
import { CalendarDay, Exact, Id, Instant, OneOf, PersonReference, Text } from '../base/schema.ts'
import { CHANGE_KINDS } from '../changes/index.ts'
import { ActionView } from '../http/action.ts'
import { BankAccount } from './bank-account.ts'
import { isCountry } from './countries.ts'

export const PARTY_TYPES = ['PERSON', 'ORGANISATION'] as const
export const PARTY_STATES = ['ACTIVE', 'BLOCKED', 'ERASED'] as const

export const Person = Exact({
  firstName: Text(100),
  lastName: Text(100),
  birthDate: Type.Optional(CalendarDay),
})

export const Organisation = Exact({
  name: Text(200),
  legalForm: Type.Optional(Text(60)),
  registerNumber: Type.Optional(Text(60)),
  vatId: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{2}[0-9A-Z]{2,13}$',
      description: 'a VAT id such as DE123456789',
    }),
  ),
})

export const Address = Exact({
  street: Text(200),
  supplement: Type.Optional(Text(200)),
  postalCode: Text(20),
  city: Text(100),
  country: Type.String({ pattern: '^[A-Z]{2}$', description: 'an ISO 3166 code such as DE' }),
})

const contact = {
  email: Type.Optional(
    Type.String({
      maxLength: 254,
      pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
      description: 'an e-mail address',
    }),
  ),
  phone: Type.Optional(
    Type.String({ pattern: '^\\+[1-9][0-9]{5,14}$', description: 'a number such as +4930123456' }),
  ),
  address: Type.Optional(Address),
  language: Type.Optional(
    Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', description: 'a tag such as de or de-AT' }),
  ),
  externalRef: Type.Optional(Text(64)),
}

export const NewParty = Exact({
  type: OneOf(PARTY_TYPES),
  person: Type.Optional(Person),
  organisation: Type.Optional(Organisation),
  ...contact,
})
export type NewParty = Static<typeof NewParty>

/** What `POST /parties` takes beyond the party itself. */
export const PartyCreation = Exact({
  ...NewParty.properties,
  bankAccount: Type.Optional(BankAccount),
  allowDuplicate: Type.Optional(
    Type.Boolean({ description: 'true creates it although it looks like one that exists' }),
  ),
})

export const Party = Type.Object({
  id: Id,
  type: OneOf(PARTY_TYPES),
  displayName: Type.String(),
  person: Type.Optional(Person),
  organisation: Type.Optional(Organisation),
  ...contact,
  bankAccount: Type.Optional(BankAccount),
  state: OneOf(PARTY_STATES),
  version: Type.Integer(),
  createdBy: PersonReference,
  createdAt: Instant,
  updatedBy: PersonReference,
  updatedAt: Instant,
  pendingChanges: Type.Array(Type.Object({ id: Id, kind: OneOf(CHANGE_KINDS) })),
  actions: Type.Array(ActionView),
})
export type Party = Static<typeof Party>

export const PartyParams = Type.Object({ party_id: Type.String() })

export type StoredParty = Omit<Party, 'actions'> & {
  readonly preparers: readonly string[]
  readonly createdByPartner: string | null
}

/** Where values belong to a person and can be asked to be erased. */
export const PERSONAL_POINTERS = [
  '/person',
  '/organisation',
  '/displayName',
  '/email',
  '/phone',
  '/address',
  '/bankAccount',
  '/externalRef',
] as const

export function displayNameOf({ person, organisation }: NewParty): string {
  return person ? `${person.firstName} ${person.lastName}` : (organisation?.name ?? '')
}

/** What the schema cannot say: type and block belong together, dates and countries exist. */
export function partyFaultsOf(given: NewParty, today: string): FieldFault[] {
  const faults: FieldFault[] = []
  const [wanted, other] =
    given.type === 'PERSON'
      ? (['person', 'organisation'] as const)
      : (['organisation', 'person'] as const)
  if (given[wanted] === undefined) {
    faults.push({
      pointer: `/${wanted}`,
      code: 'REQUIRED',
      detail: `A party of type ${given.type} needs "${wanted}".`,
    })
  }
  if (given[other] !== undefined) {
    faults.push({
      pointer: `/${other}`,
      code: 'NOT_ALLOWED',
      detail: `A party of type ${given.type} has no "${other}".`,
    })
  }
  return [
    ...faults,
    ...birthFaults(given.person?.birthDate, today),
    ...countryFaults(given.address),
  ]
}

function birthFaults(birthDate: string | undefined, today: string): FieldFault[] {
  if (birthDate === undefined) return []
  const pointer = '/person/birthDate'
  const read = readDate(birthDate)
  if (!read.ok) return [{ pointer, ...read.fault }]
  if (birthDate <= today) return []
  return [{ pointer, code: 'DATE_IN_FUTURE', detail: 'A birth date is not after today.' }]
}

function countryFaults(address: NewParty['address']): FieldFault[] {
  if (address === undefined || isCountry(address.country)) return []
  const detail = 'Write the country as its ISO 3166 code, such as DE, GR or GB.'
  return [{ pointer: '/address/country', code: 'COUNTRY_UNKNOWN', detail }]
}
