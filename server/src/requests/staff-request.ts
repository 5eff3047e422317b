import { type Static, Type } from 'typebox'
import { Id, PersonReference } from '../base/schema.ts'
import { ActionView } from '../http/action.ts'
import { MyRequest } from './request.ts'

export const StaffRequest = Type.Object({
  ...MyRequest.properties,
  party: Type.Object({ id: Id, displayName: Type.String() }),
  requestedBy: PersonReference,
  changeId: Type.Optional(Id),
  actions: Type.Array(ActionView),
})
export type StaffRequest = Static<typeof StaffRequest>

export const RequestParams = Type.Object({ request_id: Type.String() })
