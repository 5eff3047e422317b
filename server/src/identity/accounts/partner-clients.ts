import { sha256Hex } from '../../base/digest.ts'
import { isConstraint } from '../../storage/failures.ts'
import type { Db, Tx } from '../../storage/tx.ts'
import type { PartnerClient } from './account.ts'
import { type AccountAction, recordChange } from './audit-store.ts'
import type { By } from './change-account.ts'
import { newSecret } from './client-secret.ts'
import {
  allPartnerClients,
  insertPartnerClient,
  partnerClientById,
  updateClientSecret,
  updateClientState,
} from './client-store.ts'
import { requireLink, requirePermissionCodes } from './text-rules.ts'

const NO_ROWS = { rows: 'NONE' } as const
const CLIENT_ID = /^tfs-partner-[a-z0-9][a-z0-9-]{0,47}$/

export interface PartnerClientDetails {
  /** `tfs-partner-<code>`. */
  readonly id: string
  readonly partnerId: string
  readonly permissions: readonly string[]
}

/** Answers the secret, this once: what is stored is a digest. */
export async function addPartnerClient(
  db: Db,
  { actor }: By,
  details: PartnerClientDetails,
): Promise<{ client: PartnerClient; secret: string }> {
  if (!CLIENT_ID.test(details.id)) {
    throw new Error('The id of a partner’s system is tfs-partner- and small letters, digits or -.')
  }
  requireLink('partnerId', details.partnerId)
  requirePermissionCodes(details.permissions)
  const secret = newSecret()
  try {
    return await db.write(NO_ROWS, async (tx) => {
      await insertPartnerClient(tx, { ...details, secretSha256: sha256Hex(secret) })
      const client = await storedClient(tx, details.id)
      await recordChange(tx, { actor, action: 'CLIENT_ADDED', before: null, after: client })
      return { client, secret }
    })
  } catch (error) {
    if (!isConstraint(error, 'oauth_client_pkey')) throw error
    throw new Error(`There is a client ${details.id} already.`)
  }
}

export async function renewClientSecret(db: Db, by: By, id: string): Promise<string> {
  const secret = newSecret()
  await changed(db, by, 'CLIENT_SECRET_SET', id, (tx) =>
    updateClientSecret(tx, id, sha256Hex(secret)),
  )
  return secret
}

export function disableClient(db: Db, by: By, id: string): Promise<PartnerClient> {
  return changed(db, by, 'CLIENT_DISABLED', id, (tx) => updateClientState(tx, id, 'DISABLED'))
}

export function enableClient(db: Db, by: By, id: string): Promise<PartnerClient> {
  return changed(db, by, 'CLIENT_ENABLED', id, (tx) => updateClientState(tx, id, 'ACTIVE'))
}

export function listPartnerClients(db: Db): Promise<PartnerClient[]> {
  return db.read(NO_ROWS, allPartnerClients)
}

function changed(
  db: Db,
  { actor }: By,
  action: AccountAction,
  id: string,
  work: (tx: Tx) => Promise<void>,
): Promise<PartnerClient> {
  return db.write(NO_ROWS, async (tx) => {
    const before = await storedClient(tx, id)
    await work(tx)
    const after = await storedClient(tx, id)
    await recordChange(tx, { actor, action, before, after })
    return after
  })
}

async function storedClient(tx: Tx, id: string): Promise<PartnerClient> {
  const found = await partnerClientById(tx, id)
  if (found === undefined) throw new Error(`There is no client ${JSON.stringify(id)}.`)
  const { secretSha256: _secret, ...client } = found
  return client
}
