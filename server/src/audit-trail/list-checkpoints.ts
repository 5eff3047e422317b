import { Type } from 'typebox'
import { Instant } from '../base/schema.ts'
import { Page, Paged, pageOf, requireInstantPosition } from '../http/paging.ts'
import { query } from '../http/route.ts'
import { checkpointsOf, POSITION_CHARACTERS } from './checkpoint-store.ts'

const CheckpointView = Type.Object({
  seq: Type.Integer({ description: 'the last entry that it vouches for' }),
  hash: Type.String(),
  at: Instant,
  keyId: Type.String(),
  signature: Type.String({ description: 'Ed25519, base64url' }),
})

export const listCheckpoints = query({
  id: 'listCheckpoints',
  surface: 'operations',
  path: '/audit/checkpoints',
  summary: 'List the signed checkpoints of the audit chain, newest first.',
  permission: 'audit:read',
  unscopedOnly: true,
  query: Paged({}),
  reply: Page(CheckpointView),
  async run({ read, page }) {
    requireInstantPosition(page)
    const checkpoints = await checkpointsOf(read, page)
    return pageOf(
      checkpoints,
      page,
      ({ at, signature }) => [at, signature.slice(0, POSITION_CHARACTERS)],
      (checkpoint) => checkpoint,
    )
  },
})
