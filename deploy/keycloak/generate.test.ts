import { describe, expect, test } from 'vitest'
import { DEMO_USERS } from './demo-users.ts'
import { realmFiles } from './generate.ts'

interface Realm {
  readonly clients: readonly { clientId: string; [member: string]: unknown }[]
  readonly roles: { realm: readonly { name: string }[] }
  readonly users?: readonly { username: string; realmRoles: readonly string[] }[]
  readonly scopeMappings: readonly { client: string; roles: readonly string[] }[]
}

const CODES = ['contract:read', 'contract:approve', 'my:read', 'my:request', 'scope:partner']
const files = realmFiles(CODES.map((code) => ({ code, description: `Opens ${code}.` })))
const hardened = JSON.parse(files['tfs-realm.json'] as string) as Realm
const demo = JSON.parse(files['tfs-demo-realm.json'] as string) as Realm

function clientOf(realm: Realm, clientId: string) {
  const found = realm.clients.find((client) => client.clientId === clientId)
  if (found === undefined) throw new Error(`No client ${clientId}.`)
  return found
}

describe('the realm files', () => {
  test('are two and hold every permission code', () => {
    expect(Object.keys(files)).toEqual(['tfs-realm.json', 'tfs-demo-realm.json'])
    for (const realm of [hardened, demo]) {
      const names = realm.roles.realm.map((role) => role.name)
      expect(names.filter((name) => name.includes(':'))).toEqual(CODES)
      for (const { roles } of realm.scopeMappings) expect(roles).toEqual(CODES)
    }
  })

  test('the password grant is on for tfs-ops in the demo file and for no other client', () => {
    const granting = (realm: Realm) =>
      realm.clients.filter((client) => client['directAccessGrantsEnabled'] === true)
    expect(granting(demo).map((client) => client.clientId)).toEqual(['tfs-ops'])
    expect(granting(hardened)).toEqual([])
  })

  test('no wildcard stands in a redirect URI; production ones come from placeholders', () => {
    for (const realm of [hardened, demo]) {
      expect(JSON.stringify(realm.clients.map((client) => client['redirectUris']))).not.toContain(
        '*',
      )
    }
    expect(clientOf(hardened, 'tfs-ops')['redirectUris']).toEqual([
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder itself
      '${TFS_CONSOLE_ORIGIN}/console/',
    ])
  })

  test('demo users, secrets and the example partner are in the demo file alone', () => {
    const names = demo.users?.map((user) => user.username)
    expect(names?.slice(0, DEMO_USERS.length)).toEqual(DEMO_USERS.map((user) => user.username))
    expect(hardened.users).toBeUndefined()
    expect(files['tfs-realm.json']).not.toMatch(/secret|credentials|tfs-partner/)
  })

  test('chief holds every code but those of customers and partner staff', () => {
    const chief = demo.users?.find((user) => user.username === 'chief')
    const codes = chief?.realmRoles.filter((role) => role.includes(':'))
    expect(codes).toEqual(['contract:read', 'contract:approve'])
  })
})
