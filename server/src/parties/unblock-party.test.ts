import { expect, test } from 'vitest'
import { unblockParty } from './unblock-party.ts'

// Blocking and unblocking are one story: block-party.test.ts tells it.
test('unblockParty only proposes: 202, under the permission to update', () => {
  expect(unblockParty).toMatchObject({
    ...{ status: 202, method: 'POST', path: '/parties/:party_id/unblock' },
    ...{ permission: 'party:update', fourEyes: false },
  })
})
