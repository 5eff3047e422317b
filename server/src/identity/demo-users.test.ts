import { describe, expect, test } from 'vitest'
import { DEMO_USERS as realmUsers } from '../../../deploy/keycloak/demo-users.ts'
import { DEMO_USERS, type DemoUser } from './demo-users.ts'
import { CATALOGUE } from './test/realm.ts'

type Permissions = DemoUser['permissions']

const codesOf = (permissions: Permissions): string[] =>
  (typeof permissions === 'function' ? CATALOGUE.filter(permissions) : [...permissions]).sort()

const factsOf = ({ username, firstName, lastName, permissions }: Omit<DemoUser, 'purpose'>) => ({
  ...{ username, firstName, lastName, codes: codesOf(permissions) },
})

describe('demo users', () => {
  test('are the same people with the same permissions as in the demo realm of Keycloak', () => {
    expect(DEMO_USERS.map(factsOf)).toEqual(realmUsers.map(factsOf))
  })

  test('hold only codes that there are', () => {
    for (const { permissions } of DEMO_USERS as readonly DemoUser[]) {
      expect(CATALOGUE).toEqual(expect.arrayContaining(codesOf(permissions)))
    }
  })
})
