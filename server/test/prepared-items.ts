import type { Route } from '../src/http/route.ts'
import type { Client, TestAnswer } from './client.ts'
import type { Host } from './host.ts'
import { createContract, createParty, newContract, newPerson } from './samples.ts'
import { everyPermission, type Parameters } from './walk.ts'

/** Those who prepare, and someone who helps an item along its way without preparing it. */
interface People {
  readonly preparer: Client
  readonly helper: Client
}

interface Preparation {
  readonly path: RegExp
  readonly prepare: (people: People) => Promise<Parameters>
}

/** How an item comes to wait for a decision, by the path that decides it. */
const PREPARATIONS: readonly Preparation[] = [
  { path: /^\/contracts\/:contract_id\/(?:approve|reject|return)$/, prepare: submittedContract },
  { path: /^\/contracts\/:contract_id\/activate$/, prepare: approvedContract },
  { path: /^\/contracts\/:contract_id\/changes\/:change_id\//, prepare: contractChange },
  { path: /^\/parties\/:party_id\/changes\/:change_id\//, prepare: partyChange },
  { path: /^\/partners\/:partner_id\/changes\/:change_id\//, prepare: partnerChange },
]

/** An item of a four-eyes route that one user prepared and someone must decide. */
export function preparedFor(route: Route, host: Host, username: string): Promise<Parameters> {
  const known = PREPARATIONS.find(({ path }) => path.test(route.path))
  const people = {
    preparer: host.as(username, ...everyPermission),
    helper: host.as('otto', ...everyPermission),
  }
  if (known) return known.prepare(people)
  throw new Error(
    `${route.id} is a four-eyes route: say in prepared-items.ts how its item is prepared.`,
  )
}

let count = 0

async function submittedContract({ preparer }: People): Promise<Parameters> {
  const party_id = await createParty(preparer, newPerson(`Walker ${++count}`))
  return { party_id, contract_id: await createContract(preparer, newContract(party_id)) }
}

async function approvedContract(people: People): Promise<Parameters> {
  const parameters = await submittedContract(people)
  await done(people.helper.post(`/contracts/${parameters['contract_id']}/approve`))
  return parameters
}

async function contractChange(people: People): Promise<Parameters> {
  const parameters = await approvedContract(people)
  const path = `/contracts/${parameters['contract_id']}`
  await done(people.helper.post(`${path}/activate`))
  const body = { reason: 'As agreed.', effectiveDate: '2027-06-30' }
  const change = await done(people.preparer.post(`${path}/terminate`, body))
  return { ...parameters, change_id: change.body.id }
}

async function partyChange({ preparer }: People): Promise<Parameters> {
  const party_id = await createParty(preparer, newPerson(`Walker ${++count}`))
  const wish = { phone: '+4930123456' }
  const change = await done(preparer.patch(`/parties/${party_id}`, wish, { 'if-match': '"1"' }))
  return { party_id, change_id: change.body.id }
}

async function partnerChange({ preparer }: People): Promise<Parameters> {
  const bankAccount = { iban: 'DE89370400440532013000', holder: 'Walker' }
  const partner = { code: `WALK-${++count}`, name: 'Walker', kind: 'DEALER', bankAccount }
  const { body } = await done(preparer.post('/partners', partner))
  return { partner_id: body.id, change_id: body.pendingChanges[0].id }
}

async function done(answer: Promise<TestAnswer>): Promise<TestAnswer> {
  const { status, text } = await answer
  if (status >= 300) throw new Error(`The item could not be prepared: ${text}`)
  return answer
}
