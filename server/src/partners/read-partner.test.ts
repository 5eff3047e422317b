import { expect, test } from 'vitest'
import { readPartner } from './read-partner.ts'

// Reading one and reading all are one story: list-partners.test.ts tells it.
test('readPartner opens with partner:read and with partner:approve', () => {
  expect(readPartner).toMatchObject({
    path: '/partners/:partner_id',
    permission: ['partner:read', 'partner:approve'],
  })
})
