import type { PageRequest } from '../http/paging.ts'
import { instantNow } from '../storage/instant-now.ts'
import { nothing, sql } from '../storage/sql.ts'
import type { Read, Tx } from '../storage/tx.ts'
import type { Checkpoint } from './checkpoint.ts'

export interface ChainEnd {
  readonly seq: number
  readonly hash: string
  /** By the clock of the database. */
  readonly now: string
}

export function chainEnd(read: Read): Promise<ChainEnd | undefined> {
  return read.maybeOne(sql`
    select seq, hash, ${instantNow} as now from audit_chain order by seq desc limit 1`)
}

export async function hashAt(read: Read, seq: number): Promise<string | undefined> {
  const link = await read.maybeOne<{ hash: string }>(sql`
    select hash from audit_chain where seq = ${seq}`)
  return link?.hash
}

export async function insertCheckpoint(tx: Tx, checkpoint: Checkpoint): Promise<void> {
  await tx.run(sql`
    insert into audit_checkpoint (signature, seq, hash, at, key_id)
    values (${checkpoint.signature}, ${checkpoint.seq}, ${checkpoint.hash}, ${checkpoint.at},
            ${checkpoint.keyId})
        on conflict (signature) do nothing`)
}

/** Of its signature, what a cursor carries. */
export const POSITION_CHARACTERS = 64

/** Newest first. */
export function checkpointsOf(read: Read, page: PageRequest): Promise<Checkpoint[]> {
  const [at, start] = page.after ?? []
  const place = sql`at, left(signature, 64)`
  return read.rows(sql`
    select seq, hash, at, key_id as "keyId", signature
      from audit_checkpoint
     ${page.after ? sql`where (${place}) < (${at}::timestamptz, ${start}::text)` : nothing}
     order by at desc, left(signature, 64) desc
     limit ${page.limit + 1}`)
}

/** Those of a stretch of the chain, in its order. */
export function checkpointsBetween(read: Read, from: number, to: number): Promise<Checkpoint[]> {
  return read.rows(sql`
    select seq, hash, at, key_id as "keyId", signature
      from audit_checkpoint
     where seq between ${from} and ${to}
     order by seq, at, signature`)
}
