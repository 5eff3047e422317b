import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { Problem } from '../base/errors.ts'
import { httpErrors } from '../http/errors.ts'
import { type StreamInput, streamQuery } from '../http/stream-route.ts'
import { cloudEventOf, type FedEvent } from './event.ts'
import { eventsAfter, lastSeq } from './store.ts'

const POLL_MS = 750
const HEARTBEAT_MS = 15_000
const PAGE_EVENTS = 100
const SEQ = /^\d{1,15}$/

export const streamEvents = streamQuery({
  id: 'streamEvents',
  surface: 'operations',
  path: '/events/stream',
  summary: 'Follow the event feed as server-sent events, until the token ends.',
  permission: 'event:read',
  unscopedOnly: true,
  streams: 'text/event-stream',
  query: Type.Object(
    {
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'where to begin; Last-Event-ID goes before it; without both: now',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  run: async (input) => {
    const { read, query, lastEventId } = input
    const after = startIn(lastEventId) ?? query.after ?? (await lastSeq(read))
    return eventTexts(input, after)
  },
})

type Follow = Pick<StreamInput<unknown, unknown>, 'read' | 'caller' | 'clock' | 'signal'>

async function* eventTexts(follow: Follow, start: number): AsyncIterable<string> {
  const { read, signal, clock } = follow
  let after = start
  let toldAt = clock()
  // Something at once, so that the client sees its headers and knows that it listens.
  yield ': listening\n\n'
  while (!signal.aborted) {
    if (isTokenOver(follow)) return yield endText('TOKEN_EXPIRED')
    let events: FedEvent[]
    try {
      events = await eventsAfter(read, after, PAGE_EVENTS)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return yield endText(error.code)
    }
    for (const event of events) {
      yield eventText(event)
      after = event.seq
    }
    if (events.length > 0) toldAt = clock()
    else if (clock() - toldAt >= HEARTBEAT_MS) {
      toldAt = clock()
      yield ': still here\n\n'
    }
    if (events.length < PAGE_EVENTS) await pause(follow)
  }
}

/** Platform contract, section 9: the token's end is the stream's end. */
function isTokenOver({ caller, clock }: Follow): boolean {
  return caller.expiresAt !== undefined && clock() >= caller.expiresAt * 1000
}

/** Until the next look, or the token's end, or the client's. */
async function pause({ caller, clock, signal }: Follow): Promise<void> {
  const left = caller.expiresAt === undefined ? POLL_MS : caller.expiresAt * 1000 - clock()
  const ms = Math.max(0, Math.min(POLL_MS, left))
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

function eventText(event: FedEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(cloudEventOf(event))}\n\n`
}

/** No id: whoever comes back goes on behind the last event. */
function endText(code: string): string {
  return `event: stream.ended\ndata: ${JSON.stringify({ code })}\n\n`
}

function startIn(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined) return undefined
  if (SEQ.test(lastEventId)) return Number(lastEventId)
  const detail = 'Last-Event-ID must be the id of an event of this stream.'
  throw httpErrors.VALIDATION_FAILED(detail, {
    errors: [{ pointer: '/header/last-event-id', code: 'WRONG_FORMAT', detail }],
  })
}
