import type { AdminApi } from './admin.ts'
import { endpointOf, type Issuer } from './tokens.ts'

interface Keys {
  readonly active: Readonly<Record<string, string>>
  readonly keys: readonly {
    readonly kid: string
    readonly providerId: string
    readonly status: string
    readonly algorithm?: string
    readonly providerPriority: number
  }[]
}

interface Component {
  readonly id: string
  readonly config: Readonly<Record<string, string[]>>
  readonly [member: string]: unknown
}

const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider'

export async function signingKeyId(admin: AdminApi): Promise<string> {
  const { active } = await admin<Keys>('GET', '/keys')
  return active['RS256'] ?? ''
}

/** A new key signs from now on; the old one still verifies (it stays in the key set). */
export async function rotateSigningKey(admin: AdminApi): Promise<{ old: string; new: string }> {
  const old = await signingKeyId(admin)
  const { keys } = await admin<Keys>('GET', '/keys')
  const priority = Math.max(...keys.map((key) => key.providerPriority)) + 1
  const realm = await admin<{ id: string }>('GET', '')
  await admin('POST', '/components', {
    name: `rsa-${priority}`,
    providerId: 'rsa-generated',
    providerType: KEY_PROVIDER,
    parentId: realm.id,
    config: {
      priority: [String(priority)],
      enabled: ['true'],
      active: ['true'],
      algorithm: ['RS256'],
      keySize: ['2048'],
    },
  })
  return { old, new: await signingKeyId(admin) }
}

/** The key leaves the key set: what it signed is worth nothing any more. */
export async function withdrawSigningKey(admin: AdminApi, kid: string): Promise<void> {
  const { keys } = await admin<Keys>('GET', '/keys')
  const key = keys.find((candidate) => candidate.kid === kid)
  if (key === undefined) throw new Error(`No key ${kid}.`)
  const component = await admin<Component>('GET', `/components/${key.providerId}`)
  const config = { ...component.config, enabled: ['false'], active: ['false'] }
  await admin('PUT', `/components/${component.id}`, { ...component, config })
}

/** What everyone sees of the keys. */
export async function publishedKeyIds(provider: Issuer): Promise<string[]> {
  const answer = await fetch(endpointOf(provider, 'certs'))
  const { keys } = (await answer.json()) as { keys: { kid: string; use: string }[] }
  return keys.filter((key) => key.use === 'sig').map((key) => key.kid)
}
