import { Type } from 'typebox'
import { type Caller, personRefOf } from '../access/caller.ts'
import { OneOf } from '../base/schema.ts'
import { IDENTITY_ONLY, query } from '../http/route.ts'

const Me = Type.Object({
  id: Type.String({ description: 'how answers name you: a short digest of your subject' }),
  username: Type.String(),
  subject: Type.String(),
  permissions: Type.Array(Type.String()),
  partyId: Type.Optional(Type.String()),
  partnerId: Type.Optional(Type.String()),
  clientId: Type.Optional(Type.String()),
  impersonated: Type.Boolean(),
  mode: OneOf(['token', 'developer']),
  expiresAt: Type.Optional(Type.String({ format: 'date-time' })),
})

export const readMe = query({
  id: 'readMe',
  surface: 'operations',
  path: '/me',
  summary: 'Who the platform takes you for, and what you may do.',
  permission: IDENTITY_ONLY,
  reply: Me,
  run: ({ caller }) => meOf(caller),
})

function meOf(caller: Caller) {
  const { partyId, partnerId, clientId, expiresAt } = caller
  return {
    ...personRefOf(caller),
    subject: caller.subject,
    permissions: [...caller.permissions].sort(),
    ...(partyId !== undefined && { partyId }),
    ...(partnerId !== undefined && { partnerId }),
    ...(clientId !== undefined && { clientId }),
    impersonated: caller.actor !== undefined,
    mode: caller.mode,
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt * 1000).toISOString() }),
  }
}
