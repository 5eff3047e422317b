import { clientsOf, tokenClientIdsOf } from './clients.ts'
import { DEMO_PARTNER_CLIENT, DEMO_USERS, type DemoUser, permissionsOf } from './demo-users.ts'
import { jsonText } from './json-text.ts'
import { type RealmKind, realmSettings } from './realm-settings.ts'
import { userProfile } from './user-profile.ts'

export interface PermissionEntry {
  readonly code: string
  readonly description: string
}

export const REALM_FILE: Readonly<Record<RealmKind, string>> = {
  hardened: 'tfs-realm.json',
  demo: 'tfs-demo-realm.json',
}

/** In `data/import` Keycloak takes either file only by the name of its realm. */
export const IMPORT_NAME = 'tfs-realm.json'

const DEFAULT_ROLE = 'default-roles-tfs'

/** Keycloak makes it itself where it is missing, and then gives it to every user. */
const BUILT_IN_ROLE = 'uma_authorization'

/** What lets people change their own password and second factor; nothing of the platform. */
const ACCOUNT_ROLES = ['view-profile', 'manage-account']

/** The realm files by name, from the permission catalogue. */
export function realmFiles(permissions: readonly PermissionEntry[]): Record<string, string> {
  return {
    [REALM_FILE.hardened]: jsonText(realmOf('hardened', permissions)),
    [REALM_FILE.demo]: jsonText(realmOf('demo', permissions)),
  }
}

function realmOf(kind: RealmKind, permissions: readonly PermissionEntry[]): object {
  const codes = permissions.map(({ code }) => code)
  return {
    ...realmSettings(kind),
    defaultRole: { name: DEFAULT_ROLE },
    roles: { realm: realmRoles(permissions) },
    clients: clientsOf(kind),
    scopeMappings: tokenClientIdsOf(kind).map((client) => ({ client, roles: codes })),
    components: {
      'org.keycloak.userprofile.UserProfileProvider': [
        {
          providerId: 'declarative-user-profile',
          config: { 'kc.user.profile.config': [JSON.stringify(userProfile())] },
        },
      ],
    },
    ...(kind === 'demo' ? { users: demoAccounts(codes) } : {}),
  }
}

function realmRoles(permissions: readonly PermissionEntry[]): object[] {
  return [
    ...permissions.map(({ code, description }) => ({ name: code, description })),
    { name: DEFAULT_ROLE, composite: true, composites: { client: { account: ACCOUNT_ROLES } } },
    { name: BUILT_IN_ROLE },
  ]
}

function demoAccounts(catalogue: readonly string[]): object[] {
  return [
    ...DEMO_USERS.map((user) => demoAccount(user, catalogue)),
    {
      username: `service-account-${DEMO_PARTNER_CLIENT.clientId}`,
      enabled: true,
      serviceAccountClientId: DEMO_PARTNER_CLIENT.clientId,
      realmRoles: DEMO_PARTNER_CLIENT.permissions,
    },
  ]
}

/** E-mail, first and last name are set, or Keycloak answers "Account is not fully set up". */
function demoAccount(user: DemoUser, catalogue: readonly string[]): object {
  const { username, firstName, lastName, partyId, partnerId } = user
  return {
    username,
    enabled: true,
    email: `${username}@example.org`,
    emailVerified: true,
    firstName,
    lastName,
    attributes: {
      ...(partyId === undefined ? {} : { partyId: [partyId] }),
      ...(partnerId === undefined ? {} : { partnerId: [partnerId] }),
    },
    credentials: [{ type: 'password', value: username, temporary: false }],
    realmRoles: [DEFAULT_ROLE, ...permissionsOf(user, catalogue)],
  }
}
