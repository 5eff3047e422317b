import { describe, expect, test } from 'vitest'
import type { Caller } from '../access/caller.ts'
import { allRoutes, permissionCatalogue } from '../surfaces.ts'
import { requireAdmitted } from './admission.ts'

const SPANNING = /^\/(?:audit|events|reports|webhooks)(?:\/|$)/
const unscoped = allRoutes.filter(({ unscopedOnly }) => unscopedOnly === true)

const caller = (links: Partial<Caller>): Caller => ({
  subject: 'dev:linked',
  username: 'linked',
  human: true,
  permissions: new Set(Object.keys(permissionCatalogue)),
  mode: 'developer',
  ...links,
})

describe('what spans all parties and partners', () => {
  test('is declared so on every route of the audit trail, events, reports, webhooks (platform 3)', () => {
    const spanning = allRoutes.filter(({ path }) => SPANNING.test(path)).map(({ id }) => id)
    expect(spanning.length).toBeGreaterThanOrEqual(5)
    expect(unscoped.map(({ id }) => id)).toEqual(expect.arrayContaining(spanning))
  })

  test.each(unscoped.map((route) => [route.id, route] as const))(
    '403 PERMISSION_MISSING on %s for a linked caller with every permission (platform 3)',
    (_id, route) => {
      for (const links of [{ partyId: 'pty_1' }, { partnerId: 'ptn_1' }]) {
        expect(() => requireAdmitted(route, caller(links))).toThrow(
          expect.objectContaining({ code: 'PERMISSION_MISSING', status: 403 }),
        )
      }
      const permissions = new Set(
        [...caller({}).permissions].filter((code) => !/^scope:/.test(code)),
      )
      expect(() => requireAdmitted(route, caller({ permissions }))).not.toThrow()
    },
  )
})
