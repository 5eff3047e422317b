import type { Caller, Mode } from '../access/caller.ts'
import { scopeOf } from '../access/scope.ts'
import { contractRoutes } from '../contracts/index.ts'
import type { ChangeFact, Route } from '../http/route.ts'
import { scopeFor } from '../http/scope-for.ts'
import { insertParty, partyRoutes } from '../parties/index.ts'
import { insertPartner, partnerRoutes } from '../partners/index.ts'
import { requestRoutes } from '../requests/index.ts'
import type { Tx } from '../storage/tx.ts'
import type { Mark } from './back-dating-store.ts'
import { dueDayAfter, workingDayBefore } from './days.ts'
import { storyCaller } from './people.ts'
import { perform, recordFact } from './perform.ts'
import type { BodyOf, Deed, Scene, StoryPartner, StoryParty } from './scene.ts'
import { STORY } from './story.ts'
import { actAs, clockAfterLastScene, endScene } from './telling-store.ts'

const routes: ReadonlyMap<string, Route> = new Map(
  [...partyRoutes, ...partnerRoutes, ...requestRoutes, ...contractRoutes].map((route) => [
    route.id,
    route,
  ]),
)

/** Who acts, when, under which request: the same for whatever the scene is about. */
interface Acting {
  readonly caller: Caller
  readonly day: string
  readonly requestId: string
}

/** What later scenes need of earlier ones: ids by key, and the change that waits for each item. */
interface Memory {
  readonly ids: Map<string, string>
  readonly openChanges: Map<string, string>
}

/**
 * Scene by scene through the operations of the API, each for the one who acts in it. Answers when each
 * scene began by the database's clock and when it is said to have been.
 */
export async function tellStory(tx: Tx, mode: Mode, lastDay: string): Promise<Mark[]> {
  const memory: Memory = { ids: new Map(), openChanges: new Map() }
  const marks: Mark[] = []
  for (const [index, scene] of STORY.entries()) {
    await actAs(tx, { rows: 'ALL' })
    const real = await clockAfterLastScene(tx)
    const [workingDays, time, person] = scene.when
    const caller = storyCaller(person, mode)
    const day = workingDayBefore(lastDay, workingDays)
    const requestId = `demo-story-${String(index + 1).padStart(3, '0')}`
    await play(tx, scene.deed, { caller, day, requestId }, memory)
    await endScene(tx)
    marks.push({ real, told: `${day}T${time}:${secondsOf(index)}Z` })
  }
  return marks
}

/** People do not work on the full minute. */
function secondsOf(index: number): string {
  return String((index * 37) % 60).padStart(2, '0')
}

async function play(tx: Tx, deed: Deed, acting: Acting, memory: Memory): Promise<void> {
  if (deed.does === 'enterPartner') return await enterPartner(tx, deed.of, acting)
  if (deed.does === 'enterParty') return await enterParty(tx, deed.of, acting)
  const key = typeof deed.of === 'string' ? deed.of : deed.of.key
  const id = memory.ids.get(key) ?? key
  const facts = await performed(tx, deed.does, acting, {
    params: {
      ...{ contract_id: id, party_id: id, partner_id: id, request_id: id },
      change_id: memory.openChanges.get(id) ?? '',
    },
    body: bodyOf(deed, acting.day),
  })
  for (const fact of facts) remember(memory, key, fact)
}

/** What was begun here is found again by its key, a change by the item that it is about. */
function remember(
  { ids, openChanges }: Memory,
  key: string,
  { name, item, after }: ChangeFact,
): void {
  if (BEGINNINGS.has(name)) ids.set(key, item.id)
  if (name === 'change.proposed') openChanges.set((after as { itemId: string }).itemId, item.id)
}

const BEGINNINGS: ReadonlySet<string> = new Set([
  'contract.created',
  'contract.submitted',
  'request.asked',
])

async function performed(
  tx: Tx,
  operation: string,
  { caller, day, requestId }: Acting,
  input: { readonly params: Readonly<Record<string, string>>; readonly body: unknown },
): Promise<readonly ChangeFact[]> {
  const route = routes.get(operation)
  if (route === undefined) throw new Error(`The story asks for ${operation}, which does not exist.`)
  await actAs(tx, scopeFor(route, caller))
  return await perform(tx, { ...input, route, caller, requestId, calendar: { today: () => day } })
}

export function bodyOf(deed: Scene['deed'], day: string): unknown {
  if (deed.does === 'enterParty' || deed.does === 'enterPartner') return undefined
  if (deed.does !== 'createContract') return givenOn(deed.body, day)
  const { terms, ...content } = deed.of.content
  return {
    ...content,
    terms: { ...terms, firstDueDate: dueDayAfter(day, 1) },
    ...(deed.draft && { draft: true }),
  }
}

function givenOn(body: BodyOf | undefined, day: string): unknown {
  return typeof body === 'function' ? body(day) : body
}

async function enterPartner(tx: Tx, { id, partner }: StoryPartner, acting: Acting): Promise<void> {
  await actAs(tx, scopeOf(acting.caller))
  const stored = await insertPartner(tx, partner, acting.caller, id)
  await recordFact(tx, acting, { name: 'partner.created', item: stored, after: partner })
}

/** Neither of these says anything of a person. */
const PLAIN_MEMBERS: ReadonlySet<string> = new Set(['type', 'language', 'externalRef'])

async function enterParty(tx: Tx, { id, party }: StoryParty, acting: Acting): Promise<void> {
  await actAs(tx, scopeOf(acting.caller))
  const stored = await insertParty(tx, party, acting.caller, id)
  const after = { ...party, displayName: stored.displayName }
  const personal = Object.keys(after).filter((member) => !PLAIN_MEMBERS.has(member))
  await recordFact(tx, acting, {
    name: 'party.created',
    item: stored,
    after,
    personal: { partyId: id, pointers: personal.map((member) => `/${member}`) },
  })
}
