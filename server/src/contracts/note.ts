import { Type } from 'typebox'
import { Id, Instant, PersonReference } from '../base/schema.ts'

/** Written once, never changed: what staff tell each other about a contract. */
export const Note = Type.Object({
  id: Id,
  text: Type.String(),
  writtenBy: PersonReference,
  writtenAt: Instant,
})
