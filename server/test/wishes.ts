import type { Client } from './client.ts'
import type { Host } from './host.ts'
import { createParty, newPerson } from './samples.ts'

export const WISHED_IBAN = 'DE89370400440532013000'

export interface Wisher {
  readonly partyId: string
  readonly customer: Client
}

let count = 0

/** A customer with a party of its own. */
export async function wisher(host: Host): Promise<Wisher> {
  count += 1
  const partyId = await createParty(
    host.as('paul', 'party:create'),
    newPerson(`Wisher ${count}`, { allowDuplicate: true }),
  )
  const permissions = ['my:read', 'my:request']
  return { partyId, customer: host.as(`customer-${count}`, { permissions, partyId }) }
}

export const accountWish = {
  kind: 'BANK_ACCOUNT',
  bankAccount: { iban: WISHED_IBAN, holder: 'Clara Wisher' },
  comment: 'I changed banks.',
}

export const addressWish = {
  kind: 'ADDRESS',
  address: { street: 'Am Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
}
