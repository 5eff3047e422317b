import { type Caller, personRefOf } from '../access/caller.ts'
import { personKeysOf } from '../access/four-eyes.ts'
import { fail } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { httpErrors } from '../http/errors.ts'
import type { PageRequest } from '../http/paging.ts'
import { isConstraint } from '../storage/failures.ts'
import { nothing, type Statement, sql } from '../storage/sql.ts'
import type { Read, Tx } from '../storage/tx.ts'
import type { NewRequest } from './request.ts'
import type { StoredRequest } from './stored-request.ts'

const columns = sql`
  r.id, r.party_id as "partyId", p.display_name as "partyName", r.kind, r.wish, r.state, r.version,
  r.person_keys as "personKeys", r.requested_by as "requestedBy", r.reason,
  r.change_id as "changeId", h.state as "changeState",
  h.decisions -> -1 ->> 'comment' as "changeComment",
  r.created_at as "createdAt", r.updated_at as "updatedAt"`

const tables = sql`
  request r left join party p on p.id = r.party_id left join change h on h.id = r.change_id`

export async function insertRequest(
  tx: Tx,
  partyId: string,
  { kind, ...wish }: NewRequest,
  caller: Caller,
): Promise<StoredRequest> {
  const by = personRefOf(caller)
  const id = newId('req')
  try {
    await tx.run(sql`
      insert into request (id, party_id, kind, wish, person_keys, requested_by, updated_by)
      values (${id}, ${partyId}, ${kind}, ${wish}::jsonb, ${personKeysOf(caller)}::text[],
              ${by}::jsonb, ${by}::jsonb)`)
  } catch (error) {
    if (isConstraint(error, 'request_one_open')) throw alreadyOpen()
    throw error
  }
  return await requestById(tx, id)
}

function alreadyOpen() {
  const detail = 'A wish of this kind is being looked at already; wait for its answer.'
  return httpErrors.RULE_VIOLATED(detail, {
    errors: [{ pointer: '/kind', code: 'REQUEST_ALREADY_OPEN', detail }],
  })
}

export async function requestById(read: Read, id: string): Promise<StoredRequest> {
  const found = await read.maybeOne<StoredRequest>(
    sql`select ${columns} from ${tables} where r.id = ${id}`,
  )
  return found ?? fail(noSuchRequest())
}

export async function requestForUpdate(tx: Tx, id: string): Promise<StoredRequest> {
  const found = await tx.maybeOne<StoredRequest>(
    sql`select ${columns} from ${tables} where r.id = ${id} for update of r`,
  )
  return found ?? fail(noSuchRequest())
}

function noSuchRequest() {
  return httpErrors.NOT_FOUND('There is no such request.')
}

/** Staff: oldest first, so that nobody waits for ever. */
export function requestsOf(
  read: Read,
  page: PageRequest,
  state: string | undefined,
): Promise<StoredRequest[]> {
  const wanted = state === undefined ? nothing : sql`and r.state = ${state}`
  return pageOfRequests(read, page, wanted, false)
}

/** Customers: newest first. */
export function requestsOfParty(
  read: Read,
  partyId: string,
  page: PageRequest,
): Promise<StoredRequest[]> {
  return pageOfRequests(read, page, sql`and r.party_id = ${partyId}`, true)
}

function pageOfRequests(
  read: Read,
  page: PageRequest,
  condition: Statement,
  newestFirst: boolean,
): Promise<StoredRequest[]> {
  const [direction, compare] = newestFirst ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
  const behind = page.after
    ? sql`and (r.created_at, r.id) ${compare} (${page.after[0]}::timestamptz, ${page.after[1]}::text)`
    : nothing
  return read.rows<StoredRequest>(sql`
    select ${columns} from ${tables}
     where true ${condition} ${behind}
     order by r.created_at ${direction}, r.id ${direction}
     limit ${page.limit + 1}`)
}

export async function answerRequest(
  tx: Tx,
  id: string,
  answer: { readonly changeId: string } | { readonly declined: string },
  caller: Caller,
): Promise<StoredRequest> {
  const outcome =
    'changeId' in answer
      ? sql`state = 'ACCEPTED', change_id = ${answer.changeId}`
      : sql`state = 'DECLINED', reason = ${answer.declined}`
  await tx.run(sql`
    update request
       set ${outcome}, version = version + 1, updated_by = ${personRefOf(caller)}::jsonb,
           updated_at = clock_timestamp()
     where id = ${id}`)
  return await requestById(tx, id)
}
