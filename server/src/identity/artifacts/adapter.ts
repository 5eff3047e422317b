import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider'
import type { Db, Read, Tx } from '../../storage/tx.ts'
import { nowSeconds } from '../lifetimes.ts'
import { whileStoreAnswers } from '../provider/unavailable.ts'
import type { ArtifactPayload, StoredArtifact } from './artifact.ts'
import {
  artifactById,
  artifactByUid,
  artifactByUserCode,
  consumeArtifact,
  dropArtifact,
  dropFamilyOf,
  dropGranted,
  keepArtifact,
  prolongSession,
} from './store.ts'

const NO_ROWS = { rows: 'NONE' } as const

export type ClientFinder = (clientId: string) => Promise<AdapterPayload | undefined>

/**
 * oidc-provider's storage on our database. Clients come from the accounts, the rest is artifacts.
 */
export function adapterOver(db: Db, findClient: ClientFinder): AdapterFactory {
  const read = <T>(work: (read: Read) => Promise<T>): Promise<T> =>
    whileStoreAnswers(() => db.read(NO_ROWS, work))
  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    whileStoreAnswers(() => db.write(NO_ROWS, work))

  return (kind): Adapter => ({
    async upsert(id, payload, expiresIn) {
      const now = nowSeconds()
      const expiresAt = payload.exp ?? now + (expiresIn ?? 0)
      const kept = keptPayload(kind, payload as ArtifactPayload)
      await write(async (tx) => {
        await keepArtifact(tx, { kind, id, payload: kept, expiresAt })
        if (kind === 'RefreshToken' && kept.sessionUid !== undefined) {
          await prolongSession(tx, kept.sessionUid, now)
        }
      })
    },
    async find(id) {
      if (kind === 'Client') return findClient(id)
      return payloadOf(await read((r) => artifactById(r, kind, id)), id)
    },
    async findByUid(uid) {
      return payloadOf(await read((r) => artifactByUid(r, kind, uid)))
    },
    async findByUserCode(userCode) {
      return payloadOf(await read((r) => artifactByUserCode(r, kind, userCode)))
    },
    async consume(id) {
      const wasFirst = await write(async (tx) => {
        const first = await consumeArtifact(tx, kind, id)
        // RFC 6749, 4.1.2 and RFC 9700, 4.14.2: who comes second revokes what the first one got.
        if (!first) await dropFamilyOf(tx, kind, id)
        return first
      })
      if (!wasFirst) throw new errors.InvalidGrant(`${kind} was used twice at once`)
    },
    async destroy(id) {
      await write((tx) => dropArtifact(tx, kind, id))
    },
    async revokeByGrantId(grantId) {
      await write((tx) => dropGranted(tx, kind, grantId))
    },
  })
}

/**
 * What works as a credential stays out of the table: the id, and the session's id that interactions
 * carry along. Device codes are found by what the person types, so their id must come back; it
 * opens nothing before that person has agreed.
 */
function keptPayload(kind: string, payload: ArtifactPayload): ArtifactPayload {
  const { jti, ...kept } = payload
  if (kind === 'DeviceCode') return payload
  if (kind === 'Interaction' && isRecord(kept['session'])) {
    const { cookie: _cookie, ...session } = kept['session']
    return { ...kept, session }
  }
  return kept
}

/** The columns are the truth about expiry and consumption, the payload is not. */
function payloadOf(found: StoredArtifact | undefined, id?: string): AdapterPayload | undefined {
  if (found === undefined) return undefined
  const { payload, expiresAt, consumedAt } = found
  return {
    ...payload,
    ...(id !== undefined && { jti: id }),
    exp: Math.floor(expiresAt),
    ...(consumedAt !== null && { consumed: Math.floor(consumedAt) }),
  } as AdapterPayload
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
