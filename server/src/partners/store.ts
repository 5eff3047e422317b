import { type Caller, personRefOf } from '../access/caller.ts'
import { fail } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { httpErrors } from '../http/errors.ts'
import type { PageRequest } from '../http/paging.ts'
import type { BankAccount } from '../parties/index.ts'
import { isConstraint } from '../storage/failures.ts'
import { nothing, type Statement, sql } from '../storage/sql.ts'
import type { Read, Tx } from '../storage/tx.ts'
import type { NewPartner, StoredPartner } from './partner.ts'

const columns = sql`
  id, code, name, kind, state, bank_account as "bankAccount", version,
  created_by as "createdBy", created_at as "createdAt",
  updated_by as "updatedBy", updated_at as "updatedAt",
  coalesce((select jsonb_agg(jsonb_build_object('id', change.id, 'kind', change.kind))
              from change
             where item_kind = 'partner' and item_id = partner.id and change.state = 'PENDING'), '[]')
    as "pendingChanges"`

/** A customer learns the name of who brought a contract there; the partner itself is none of its rows. */
const notOfParty = sql`context_setting('party') is null`

type PlainPartner = Pick<NewPartner, 'code' | 'name' | 'kind'>

export async function insertPartner(
  tx: Tx,
  given: PlainPartner,
  caller: Caller,
  id: string = newId('ptn'),
): Promise<StoredPartner> {
  const by = personRefOf(caller)
  try {
    return await tx.one<StoredPartner>(sql`
      insert into partner (id, code, name, kind, created_by, updated_by)
      values (${id}, ${given.code}, ${given.name}, ${given.kind}, ${by}::jsonb, ${by}::jsonb)
      returning ${columns}`)
  } catch (error) {
    if (!isConstraint(error, 'partner_code_unique')) throw error
    const detail = `The code ${given.code} belongs to another partner; choose another one.`
    throw httpErrors.RULE_VIOLATED(detail, {
      errors: [{ pointer: '/code', code: 'CODE_IN_USE', detail }],
    })
  }
}

export async function partnerById(read: Read, id: string): Promise<StoredPartner> {
  const found = await read.maybeOne<StoredPartner>(
    sql`select ${columns} from partner where id = ${id} and ${notOfParty}`,
  )
  return found ?? fail(noSuchPartner())
}

export async function partnerForUpdate(tx: Tx, id: string): Promise<StoredPartner> {
  const found = await tx.maybeOne<StoredPartner>(
    sql`select ${columns} from partner where id = ${id} and ${notOfParty} for update`,
  )
  return found ?? fail(noSuchPartner())
}

function noSuchPartner() {
  return httpErrors.NOT_FOUND('There is no such partner.')
}

export function partnersOf(
  read: Read,
  page: PageRequest,
  state: string | undefined,
): Promise<StoredPartner[]> {
  const behind = page.after
    ? sql`and (created_at, id) < (${page.after[0]}::timestamptz, ${page.after[1]}::text)`
    : nothing
  return read.rows<StoredPartner>(sql`
    select ${columns} from partner
     where ${notOfParty} ${state === undefined ? nothing : sql`and state = ${state}`} ${behind}
     order by created_at desc, id desc
     limit ${page.limit + 1}`)
}

/** What a contract needs to know of its partner; undefined when the caller may not see it. */
export function partnerForContract(
  read: Read,
  id: string,
): Promise<{ id: string; name: string; state: string } | undefined> {
  return read.maybeOne(sql`select id, name, state from partner where id = ${id}`)
}

export function updatePlain(
  tx: Tx,
  id: string,
  { name, kind }: Pick<NewPartner, 'name' | 'kind'>,
  caller: Caller,
): Promise<StoredPartner> {
  return updated(tx, id, sql`name = ${name}, kind = ${kind}`, caller)
}

export function suspend(
  tx: Tx,
  id: string,
  reason: string,
  caller: Caller,
): Promise<StoredPartner> {
  return updated(tx, id, sql`state = 'SUSPENDED', suspend_reason = ${reason}`, caller)
}

export function resume(
  tx: Tx,
  id: string,
  changeId: string,
  caller: Caller,
): Promise<StoredPartner> {
  return updated(
    tx,
    id,
    sql`state = 'ACTIVE', suspend_reason = null, change_id = ${changeId}`,
    caller,
  )
}

export function setBankAccount(
  tx: Tx,
  id: string,
  account: BankAccount | null,
  by: { readonly changeId: string; readonly caller: Caller },
): Promise<StoredPartner> {
  return updated(
    tx,
    id,
    sql`bank_account = ${account}::jsonb, change_id = ${by.changeId}`,
    by.caller,
  )
}

async function updated(
  tx: Tx,
  id: string,
  assignments: Statement,
  caller: Caller,
): Promise<StoredPartner> {
  await tx.run(sql`
    update partner
       set ${assignments}, version = version + 1, updated_by = ${personRefOf(caller)}::jsonb,
           updated_at = clock_timestamp()
     where id = ${id}`)
  return await partnerById(tx, id)
}
