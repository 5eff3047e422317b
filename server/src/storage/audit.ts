import { randomBytes } from 'node:crypto'
import { canonicalJson } from '../base/canonical-json.ts'
import type { DiffRow } from '../base/diff.ts'
import { sha256Hex } from '../base/digest.ts'
import { newId } from '../base/ids.ts'
import { sql } from './sql.ts'
import type { Tx } from './tx.ts'

/** Who did it and from where. */
export interface AuditActor {
  readonly subject: string
  readonly username: string
  readonly clientId?: string | undefined
  readonly sessionId?: string | undefined
  readonly issuer?: string | undefined
  readonly mode: 'token' | 'developer' | 'system'
  /** The one behind an impersonated session. */
  readonly actor?: string | undefined
  readonly remoteAddress?: string | undefined
  readonly requestId: string
}

export interface AuditEntry {
  readonly action: string
  readonly item?: { readonly kind: string; readonly id: string; readonly version?: number }
  readonly diff?: readonly DiffRow[]
  /** Places whose values belong to a person and may have to be erased one day. */
  readonly personal?: { readonly partyId: string; readonly pointers: readonly string[] } | undefined
  /** Set when the action was refused: the error code. */
  readonly refusedWith?: string
}

interface PersonalValue {
  readonly pointer: string
  readonly side: 'before' | 'after'
  readonly salt: string
  readonly value: unknown
}

const SALT_BYTES = 16

/** One entry, in the transaction of the work. */
export async function recordAudit(tx: Tx, actor: AuditActor, entry: AuditEntry): Promise<void> {
  const id = newId('aud')
  const personal: PersonalValue[] = []
  const diff = (entry.diff ?? []).map((row) => withoutPersonal(row, entry, personal))
  await tx.run(sql`
    insert into audit_entry (id, request_id, subject, username, client_id, session_id, issuer, mode,
                             actor, remote_address, action, outcome, code,
                             item_kind, item_id, item_version, diff)
    values (${id}, ${actor.requestId}, ${actor.subject}, ${actor.username},
            ${actor.clientId ?? null}, ${actor.sessionId ?? null}, ${actor.issuer ?? null},
            ${actor.mode}, ${actor.actor ?? null}, ${actor.remoteAddress ?? null}, ${entry.action},
            ${entry.refusedWith === undefined ? 'DONE' : 'REFUSED'}, ${entry.refusedWith ?? null},
            ${entry.item?.kind ?? null}, ${entry.item?.id ?? null}, ${entry.item?.version ?? null},
            ${diff}::jsonb)`)
  if (personal.length === 0) return
  await tx.run(sql`
    insert into audit_personal_value (entry_id, pointer, side, salt, value, party_id)
    select ${id}, pointer, side, salt, value, ${entry.personal?.partyId ?? null}
      from jsonb_to_recordset(${personal}::jsonb)
        as given (pointer text, side text, salt text, value jsonb)`)
}

/**
 * Takes the values of an erased party out of the trail; entries keep the salted hashes, so the chain
 * holds. Run it once the party is ERASED, in the same transaction: the database refuses it before.
 */
export function erasePersonalValues(tx: Tx, partyId: string): Promise<number> {
  return tx.run(sql`delete from audit_personal_value where party_id = ${partyId}`)
}

/** A personal value stands in the entry as a salted hash; the value itself can be erased elsewhere. */
function withoutPersonal(row: DiffRow, entry: AuditEntry, personal: PersonalValue[]): DiffRow {
  const pointers = entry.personal?.pointers ?? []
  const isPersonal = pointers.some(
    (root) => row.pointer === root || row.pointer.startsWith(`${root}/`),
  )
  if (!isPersonal) return row
  const hidden = (side: 'before' | 'after'): unknown => {
    const value = row[side]
    if (value == null) return null
    const salt = randomBytes(SALT_BYTES).toString('base64url')
    personal.push({ pointer: row.pointer, side, salt, value })
    return { sha256: sha256Hex(salt + canonicalJson(value)) }
  }
  return { pointer: row.pointer, before: hidden('before'), after: hidden('after') }
}
