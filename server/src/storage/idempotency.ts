import { sql } from './sql.ts'
import type { Tx } from './tx.ts'

export const KEPT_HOURS = 24

/** What one key stands for. */
export interface IdempotencyScope {
  readonly subject: string
  readonly method: string
  readonly path: string
  readonly key: string
}

export interface KeptAnswer {
  readonly requestHash: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** False while another transaction works under the same key. Ends with the transaction. */
export async function lockKey(tx: Tx, scope: IdempotencyScope): Promise<boolean> {
  const name = JSON.stringify([scope.subject, scope.method, scope.path, scope.key])
  const { locked } = await tx.one<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`)
  return locked
}

/** The answer kept for this key; one past its time is forgotten first. */
export async function keptAnswer(tx: Tx, scope: IdempotencyScope): Promise<KeptAnswer | undefined> {
  await tx.run(sql`
    delete from idempotency
     where subject = ${scope.subject} and method = ${scope.method} and path = ${scope.path}
       and key = ${scope.key}
       and stored_at < clock_timestamp() - make_interval(hours => ${KEPT_HOURS})`)
  return await tx.maybeOne<KeptAnswer>(sql`
    select request_hash as "requestHash", status, headers, body
      from idempotency
     where subject = ${scope.subject} and method = ${scope.method} and path = ${scope.path}
       and key = ${scope.key}`)
}

export async function keepAnswer(
  tx: Tx,
  scope: IdempotencyScope,
  answer: KeptAnswer,
): Promise<void> {
  await tx.run(sql`
    insert into idempotency (subject, method, path, key, request_hash, status, headers, body)
    values (${scope.subject}, ${scope.method}, ${scope.path}, ${scope.key}, ${answer.requestHash},
            ${answer.status}, ${answer.headers}::jsonb, ${answer.body})`)
}
