import { sha256Hex } from '../../base/digest.ts'
import { type Statement, sql } from '../../storage/sql.ts'
import type { Read, Tx } from '../../storage/tx.ts'
import { SESSION_IDLE_SECONDS, SESSION_MAX_SECONDS } from '../lifetimes.ts'
import type { ArtifactPayload, StoredArtifact } from './artifact.ts'

export interface NewArtifact {
  readonly kind: string
  readonly id: string
  readonly payload: ArtifactPayload
  /** Seconds since the epoch. */
  readonly expiresAt: number
}

export async function keepArtifact(tx: Tx, { kind, id, payload, expiresAt }: NewArtifact) {
  await tx.run(sql`
    insert into artifact (kind, id_sha256, payload, grant_id, account_id, uid, user_code, expires_at)
    values (${kind}, ${sha256Hex(id)}, ${payload}::jsonb,
            ${kind === 'Grant' ? id : (payload.grantId ?? null)}, ${payload.accountId ?? null},
            ${payload.uid ?? null}, ${payload.userCode ?? null}, to_timestamp(${expiresAt}))
    on conflict (kind, id_sha256) do update
      set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
          account_id = excluded.account_id, user_code = excluded.user_code,
          expires_at = excluded.expires_at`)
}

export function artifactById(read: Read, kind: string, id: string) {
  return found(read, kind, sql`id_sha256 = ${sha256Hex(id)}`)
}

export function artifactByUid(read: Read, kind: string, uid: string) {
  return found(read, kind, sql`uid = ${uid}`)
}

export function artifactByUserCode(read: Read, kind: string, userCode: string) {
  return found(read, kind, sql`user_code = ${userCode}`)
}

function found(read: Read, kind: string, condition: Statement) {
  return read.maybeOne<StoredArtifact>(sql`
    select payload,
           extract(epoch from expires_at)::float8 as "expiresAt",
           extract(epoch from consumed_at)::float8 as "consumedAt"
      from artifact
     where kind = ${kind} and ${condition}`)
}

/** The one statement that decides who was first: two exchanges of one code cannot both pass. */
export async function consumeArtifact(tx: Tx, kind: string, id: string): Promise<boolean> {
  const consumed = await tx.maybeOne(sql`
    update artifact set consumed_at = now()
     where kind = ${kind} and id_sha256 = ${sha256Hex(id)} and consumed_at is null
    returning kind`)
  return consumed !== undefined
}

export async function dropArtifact(tx: Tx, kind: string, id: string): Promise<void> {
  await tx.run(sql`delete from artifact where kind = ${kind} and id_sha256 = ${sha256Hex(id)}`)
}

export async function dropGranted(tx: Tx, kind: string, grantId: string): Promise<void> {
  await tx.run(sql`delete from artifact where kind = ${kind} and grant_id = ${grantId}`)
}

/** Everything that came of one code or refresh token, and the grant itself. */
export async function dropFamilyOf(tx: Tx, kind: string, id: string): Promise<void> {
  await tx.run(sql`
    delete from artifact
     where grant_id = (select grant_id from artifact
                        where kind = ${kind} and id_sha256 = ${sha256Hex(id)})`)
}

export async function dropAllOfAccount(tx: Tx, accountId: string): Promise<number> {
  return tx.run(sql`delete from artifact where account_id = ${accountId}`)
}

/** A session and whatever it gave to any client. */
export async function dropSession(tx: Tx, uid: string): Promise<void> {
  await tx.run(sql`
    delete from artifact
     where grant_id in (select client.value ->> 'grantId'
                          from artifact session,
                               jsonb_each(session.payload -> 'authorizations') as client
                         where session.uid = ${uid} and session.kind = 'Session')`)
  await tx.run(sql`delete from artifact where uid = ${uid} and kind = 'Session'`)
}

/** A refreshed token is a used session: idle time starts anew, the absolute end stays. */
export async function prolongSession(tx: Tx, uid: string, now: number): Promise<void> {
  await tx.run(sql`
    update artifact
       set expires_at = to_timestamp(least(
             ${now}::float8 + ${SESSION_IDLE_SECONDS}::float8,
             (payload ->> 'loginTs')::float8 + ${SESSION_MAX_SECONDS}::float8))
     where uid = ${uid} and kind = 'Session' and expires_at > to_timestamp(${now})`)
}

export async function purgeExpired(tx: Tx, before: number): Promise<number> {
  return tx.run(sql`delete from artifact where expires_at < to_timestamp(${before})`)
}
