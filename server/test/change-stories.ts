import { CHANGE_KINDS, type ChangeKind } from '../src/changes/index.ts'
import { sql } from '../src/storage/sql.ts'
import type { Db } from '../src/storage/tx.ts'
import type { Client, TestAnswer } from './client.ts'
import { succeeded } from './contract-stories.ts'
import type { Host } from './host.ts'
import { createContract, createParty, newContract, newPerson } from './samples.ts'
import { everyPermission } from './walk.ts'

export const IBAN = 'DE89370400440532013000'
export const OTHER_IBAN = 'GB82WEST12345698765432'
export const MASKED_IBAN = 'DE89**************3000'

export const ITEM_KINDS = {
  AMENDMENT: 'contract',
  SETTLEMENT: 'contract',
  TERMINATION: 'contract',
  PARTY: 'party',
  UNBLOCK: 'party',
  ERASURE: 'party',
  PARTNER: 'partner',
  RESUME: 'partner',
} as const satisfies Record<ChangeKind, string>

/** The permission with which each kind is proposed. */
export const PROPOSED_WITH: Readonly<Record<ChangeKind, string>> = {
  AMENDMENT: 'contract:update',
  SETTLEMENT: 'contract:settle',
  TERMINATION: 'contract:terminate',
  PARTY: 'party:update',
  UNBLOCK: 'party:update',
  ERASURE: 'party:erase',
  PARTNER: 'partner:update',
  RESUME: 'partner:update',
}

export const ALL_KINDS: readonly ChangeKind[] = CHANGE_KINDS

/** MOVED: still pending, but its item is no longer the one it was proposed about. */
export const CHANGE_SITUATIONS = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'MOVED'] as const
export type ChangeSituation = (typeof CHANGE_SITUATIONS)[number]

export interface ChangeStory {
  readonly kind: ChangeKind
  readonly id: string
  readonly itemId: string
  /** Of the item, and of the change below it. */
  readonly itemPath: string
  readonly path: string
}

interface Links {
  readonly partyId?: string
  readonly partnerId?: string
}

let count = 0
export const reason = { reason: 'As agreed.' }

/** Someone who may do everything, and so proves that permissions alone decide nothing. */
export const staff = (host: Host, username: string): Client => host.as(username, ...everyPermission)

/** A change that paul, or whoever is given, proposed about an item that others brought so far. */
export async function proposed(
  host: Host,
  kind: ChangeKind,
  proposer: Client = staff(host, 'paul'),
  links: Links = {},
): Promise<ChangeStory> {
  const itemPath = await itemFor(host, kind, links)
  const { body } = await succeeded(propose(proposer, kind, itemPath))
  return {
    kind,
    id: body.id,
    itemId: itemPath.split('/')[2] as string,
    itemPath,
    path: `${itemPath}/changes/${body.id}`,
  }
}

/** Asks once more for the same kind of change of an item. */
export function propose(client: Client, kind: ChangeKind, itemPath: string): Promise<TestAnswer> {
  const bankAccount = { iban: IBAN, holder: 'Clara Sommer' }
  const ending = { ...reason, effectiveDate: '2027-06-30' }
  switch (kind) {
    case 'AMENDMENT':
      return client.post(`${itemPath}/changes`, { ...reason, terms: { termMonths: 60 } })
    case 'SETTLEMENT':
      return client.post(`${itemPath}/settle`, ending)
    case 'TERMINATION':
      return client.post(`${itemPath}/terminate`, ending)
    case 'PARTY':
    case 'PARTNER':
      return client.patch(itemPath, { ...reason, bankAccount }, { 'if-match': '*' })
    case 'UNBLOCK':
      return client.post(`${itemPath}/unblock`, reason)
    case 'ERASURE':
      return client.post(`${itemPath}/erase`, reason)
    case 'RESUME':
      return client.post(`${itemPath}/resume`, reason)
  }
}

/** An item that is ready for such a change; clem made it, otto helped. */
export async function itemFor(host: Host, kind: ChangeKind, links: Links = {}): Promise<string> {
  const clem = host.as('clem', {
    permissions: everyPermission,
    ...(links.partnerId !== undefined && { partnerId: links.partnerId }),
  })
  const otto = staff(host, 'otto')
  if (ITEM_KINDS[kind] === 'partner') {
    const partner = { code: `STORY-${++count}`, name: `Story ${count}`, kind: 'DEALER' }
    const path = `/partners/${(await succeeded(staff(host, 'clem').post('/partners', partner))).body.id}`
    if (kind === 'RESUME') await succeeded(otto.post(`${path}/suspend`, reason))
    return path
  }
  const partyId = links.partyId ?? (await createParty(clem, newPerson(`Story ${++count}`)))
  if (ITEM_KINDS[kind] === 'party') {
    if (kind === 'UNBLOCK') await succeeded(otto.post(`/parties/${partyId}/block`, reason))
    return `/parties/${partyId}`
  }
  const path = `/contracts/${await createContract(clem, newContract(partyId))}`
  await succeeded(otto.post(`${path}/approve`))
  await succeeded(otto.post(`${path}/activate`))
  return path
}

/** What can move an item while a change of it waits; contracts stand still. */
const MOVED_BY: Partial<Record<ChangeKind, string>> = {
  PARTY: 'block',
  ERASURE: 'block',
  PARTNER: 'suspend',
}

export function isPossible(kind: ChangeKind, situation: ChangeSituation): boolean {
  return situation !== 'MOVED' || kind in MOVED_BY
}

/** Prepared by paul; decided by ana, or taken back by paul. */
export async function changeIn(
  host: Host,
  kind: ChangeKind,
  situation: ChangeSituation,
  links: Links = {},
): Promise<ChangeStory> {
  const story = await proposed(host, kind, staff(host, 'paul'), links)
  const [paul, ana] = [staff(host, 'paul'), staff(host, 'ana')]
  if (situation === 'APPROVED') await succeeded(ana.post(`${story.path}/approve`))
  if (situation === 'REJECTED') await succeeded(ana.post(`${story.path}/reject`, reason))
  if (situation === 'WITHDRAWN') await succeeded(paul.post(`${story.path}/withdraw`, reason))
  if (situation === 'MOVED') {
    await succeeded(staff(host, 'otto').post(`${story.itemPath}/${MOVED_BY[kind]}`, reason))
  }
  return story
}

export interface Entry {
  readonly action: string
  readonly outcome: 'DONE' | 'REFUSED'
  readonly code: string | null
  readonly username: string
  readonly diff: readonly { pointer: string; before: unknown; after: unknown }[]
}

/** What the audit trail tells of some items, in the order it was written. */
export function entriesOf(db: Db, ...itemIds: string[]): Promise<Entry[]> {
  return db.read({ rows: 'ALL', subject: 'test' }, (read) =>
    read.rows<Entry>(sql`
      select action, outcome, code, username, diff
        from audit_entry where item_id = any (${itemIds}::text[]) order by ordinal`),
  )
}

/** Without what differs between any two answers. */
export function wordsOf({ status, body }: TestAnswer): object {
  const { requestId: _, instance: __, ...rest } = body ?? {}
  return { status, ...rest }
}
