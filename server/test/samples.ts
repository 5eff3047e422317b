import type { Client } from './client.ts'

/** The least that a contract needs, for tests that are about something else. */
export function newContract(partyId: string, overrides: Readonly<Record<string, unknown>> = {}) {
  return {
    partyId,
    type: 'LOAN',
    terms: {
      financedAmount: { amount: '12500.00', currency: 'EUR' },
      nominalRate: '4.9',
      termMonths: 48,
      firstDueDate: '2027-01-31',
    },
    ...overrides,
  }
}

export function newPerson(lastName = 'Sommer', overrides: Readonly<Record<string, unknown>> = {}) {
  return { type: 'PERSON', person: { firstName: 'Clara', lastName }, ...overrides }
}

export const PREPARING = [
  'party:create',
  'party:read',
  'contract:create',
  'contract:read',
  'contract:update',
] as const

export async function createParty(client: Client, body: object = newPerson()): Promise<string> {
  const answer = await client.post('/parties', body)
  if (answer.status !== 201) throw new Error(`The party was refused: ${answer.text}`)
  return answer.body.id
}

export async function createContract(client: Client, body: object): Promise<string> {
  const answer = await client.post('/contracts', body)
  if (answer.status !== 201) throw new Error(`The contract was refused: ${answer.text}`)
  return answer.body.id
}
