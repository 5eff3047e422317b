import type { Route } from './route.ts'

type Header = Readonly<Record<string, unknown>>

const EVENTS = 'text/event-stream'
const LAST_EVENT_ID: Header = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The last event that you got; the stream goes on behind it.',
  schema: { type: 'string' },
}

/** The request headers that an operation reads. */
export function headersOf(route: Route): Header[] {
  if (route.streams !== undefined) return route.streams === EVENTS ? [LAST_EVENT_ID] : []
  if (route.kind === 'query') {
    return [{ name: 'If-None-Match', in: 'header', schema: { type: 'string' } }]
  }
  return [
    ...(route.load
      ? [
          {
            name: 'If-Match',
            in: 'header',
            required: route.versionRequired,
            schema: { type: 'string' },
          },
        ]
      : []),
    ...(route.method === 'POST'
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            schema: { type: 'string', minLength: 1, maxLength: 255 },
          },
        ]
      : []),
  ]
}
