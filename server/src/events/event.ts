import { type Static, Type } from 'typebox'
import { Instant } from '../base/schema.ts'
import { API_PREFIX } from '../http/route.ts'

/** CloudEvents 1.0, with ids and no contents: whoever reads it fetches what it may see. */
export const CloudEvent = Type.Object({
  specversion: Type.String(),
  id: Type.String(),
  source: Type.String(),
  type: Type.String({ description: 'past tense, such as contract.approved' }),
  subject: Type.String({ description: 'the id of the item' }),
  time: Instant,
  datacontenttype: Type.String(),
  sequence: Type.String({ description: 'its place in the feed; sorts as text' }),
  data: Type.Object({
    kind: Type.String(),
    id: Type.String(),
    version: Type.Integer(),
    requestId: Type.String(),
  }),
})
export type CloudEvent = Static<typeof CloudEvent>

export interface FedEvent {
  readonly seq: number
  readonly id: string
  readonly at: string
  readonly type: string
  readonly itemKind: string
  readonly itemId: string
  readonly itemVersion: number
  readonly requestId: string
}

/** As many digits as the largest number has that JSON readers keep exactly. */
const SEQUENCE_DIGITS = 16

export function cloudEventOf(event: FedEvent): CloudEvent {
  return {
    specversion: '1.0',
    id: event.id,
    source: API_PREFIX,
    type: event.type,
    subject: event.itemId,
    time: event.at,
    datacontenttype: 'application/json',
    sequence: String(event.seq).padStart(SEQUENCE_DIGITS, '0'),
    data: {
      kind: event.itemKind,
      id: event.itemId,
      version: event.itemVersion,
      requestId: event.requestId,
    },
  }
}
