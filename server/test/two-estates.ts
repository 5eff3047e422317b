import type { Client } from './client.ts'
import { succeeded } from './contract-stories.ts'
import type { Host } from './host.ts'
import { everyPermission, type Parameters } from './walk.ts'

/** All that a customer and a partner have, with one word in every field that takes words. */
export interface Estate {
  readonly word: string
  readonly partyId: string
  readonly partnerId: string
  readonly number: string
  /** Ids by the name of the path parameter; a change belongs to the kind of item before it. */
  readonly parametersOf: (path: string) => Parameters
  readonly customer: Client
  readonly dealer: Client
  /** What nobody else may ever see: the word, ids and numbers. */
  readonly secrets: readonly string[]
}

const IBANS = ['DE89370400440532013000', 'AT611904300234573201']

export async function estateOf(host: Host, word: string): Promise<Estate> {
  const said = (text: string): string => `${text} ${word}`
  const staff = host.as(`staff-${word}`, ...everyPermission)
  const other = host.as('neutral', ...everyPermission)
  const bankAccount = { iban: IBANS[word.charCodeAt(1) % 2], holder: said('Holder') }
  const partner = await succeeded(
    staff.post('/partners', {
      ...{ code: `P-${word.toUpperCase()}`, name: said('Partner'), kind: 'DEALER', bankAccount },
    }),
  )
  const partnerId: string = partner.body.id
  const linked = { permissions: everyPermission, partnerId }
  const dealer = host.as(`dealer-${word}`, linked)
  const party = await succeeded(dealer.post('/parties', newParty(word, bankAccount)))
  const partyId: string = party.body.id
  const contract = await succeeded(dealer.post('/contracts', newDeal(word, partyId)))
  const path = `/contracts/${contract.body.id}`
  await succeeded(other.post(`${path}/approve`, { comment: said('Fine') }))
  await succeeded(other.post(`${path}/activate`))
  await succeeded(staff.post(`${path}/notes`, { text: said('Note') }))
  const reason = said('Because')
  const amendment = await succeeded(
    dealer.post(`${path}/changes`, { reason, asset: { model: said('Model') } }),
  )
  // A second deal waits, so that the queue and the lists have pages.
  const waiting = await succeeded(dealer.post('/contracts', newDeal(word, partyId)))
  const customer = host.as(`customer-${word}`, { permissions: everyPermission, partyId })
  const wish = await succeeded(
    customer.post('/my/requests', {
      ...{ kind: 'BANK_ACCOUNT', bankAccount, comment: said('Please') },
    }),
  )
  const ids = {
    contract_id: contract.body.id,
    party_id: partyId,
    partner_id: partnerId,
    request_id: wish.body.id,
  }
  const changes: Readonly<Record<string, string>> = {
    contracts: amendment.body.id,
    parties: party.body.pendingChanges[0].id,
    partners: partner.body.pendingChanges[0].id,
  }
  return {
    ...{ word, partyId, partnerId, customer, dealer },
    number: contract.body.number,
    parametersOf: (route) => ({ ...ids, change_id: changes[route.split('/')[1] as string] ?? '' }),
    secrets: [
      ...[word, contract.body.number, waiting.body.number, waiting.body.id],
      ...[...Object.values(ids), ...Object.values(changes), bankAccount.iban as string],
    ],
  }
}

function newParty(word: string, bankAccount: object): object {
  return {
    type: 'PERSON',
    person: { firstName: 'Clara', lastName: `Sommer ${word}`, birthDate: '1980-01-01' },
    ...{ email: `clara@${word}.example.org`, phone: '+4930123456', externalRef: `CRM-${word}` },
    address: {
      ...{ street: `Am ${word} 1`, supplement: word, postalCode: '10115', city: word },
      country: 'DE',
    },
    ...{ bankAccount, allowDuplicate: true },
  }
}

function newDeal(word: string, partyId: string): object {
  return {
    ...{ partyId, type: 'LOAN', externalRef: `REF-${word}` },
    asset: {
      ...{ category: word, description: word, make: word, model: word, serialNumber: `S-${word}` },
      price: { amount: '15000.00', currency: 'EUR' },
    },
    commission: { amount: '100.00', currency: 'EUR' },
    terms: {
      ...{ financedAmount: { amount: '12500.00', currency: 'EUR' }, nominalRate: '4.9' },
      ...{ termMonths: 48, firstDueDate: '2027-01-31' },
    },
  }
}
