import { type Caller, personRefOf } from '../access/caller.ts'
import { personKeysOf } from '../access/four-eyes.ts'
import { fail } from '../base/errors.ts'
import { folded } from '../base/folded.ts'
import { newId } from '../base/ids.ts'
import { httpErrors } from '../http/errors.ts'
import { instantNow } from '../storage/instant-now.ts'
import { type Statement, sql } from '../storage/sql.ts'
import type { Read, Tx } from '../storage/tx.ts'
import type { PreparedContent } from './prepare-content.ts'
import type { StoredContract } from './stored-contract.ts'

export const contractColumns = sql`
  c.id, c.number, c.external_ref as "externalRef", c.type, c.state, c.version,
  c.party_id as "partyId", c.party_version as "partyVersion",
  p.display_name as "partyName", p.state as "partyState",
  c.partner_id as "partnerId", n.name as "partnerName", n.state as "partnerState",
  c.asset, c.terms, c.plan, c.commission, c.internal_note as "internalNote",
  c.content_hash as "contentHash", c.preparers, c.prepared_by as "preparedBy",
  c.submitted_by as "submittedBy", c.submitted_at as "submittedAt", c.decisions,
  c.move_reason as "moveReason", c.activated_by as "activatedBy", c.activated_at as "activatedAt",
  c.activation_date as "activationDate", c.effective_date as "effectiveDate",
  c.change_id as "changeId",
  exists (select from change h
           where h.item_kind = 'contract' and h.item_id = c.id and h.state = 'PENDING')
    as "changePending",
  c.created_by as "createdBy", c.created_at as "createdAt",
  c.updated_by as "updatedBy", c.updated_at as "updatedAt"`

export const contractTables = sql`
  contract c join party p on p.id = c.party_id left join partner n on n.id = c.partner_id`

const NUMBER = /^\d{4}-\d{6,}$/

/** By id, or by the number that people read out on the phone. */
function identified(id: string): Statement {
  return NUMBER.test(id) ? sql`c.number = ${id}` : sql`c.id = ${id}`
}

export async function contractById(read: Read, id: string): Promise<StoredContract> {
  const found = await read.maybeOne<StoredContract>(sql`
    select ${contractColumns} from ${contractTables} where ${identified(id)}`)
  return found ?? fail(noSuchContract())
}

export function contractsByIds(read: Read, ids: readonly string[]): Promise<StoredContract[]> {
  if (ids.length === 0) return Promise.resolve([])
  return read.rows<StoredContract>(sql`
    select ${contractColumns} from ${contractTables} where c.id = any (${ids}::text[])`)
}

/** Locked until the transaction ends: of two deciders, one waits and then learns the outcome. */
export async function contractForUpdate(tx: Tx, id: string): Promise<StoredContract> {
  const found = await tx.maybeOne<StoredContract>(sql`
    select ${contractColumns} from ${contractTables} where ${identified(id)} for update of c`)
  return found ?? fail(noSuchContract())
}

export function noSuchContract() {
  return httpErrors.NOT_FOUND('There is no such contract.')
}

interface NewRow {
  readonly prepared: PreparedContent
  readonly caller: Caller
  readonly submitted: boolean
  readonly year: string
}

export async function insertContract(tx: Tx, row: NewRow): Promise<StoredContract> {
  const { caller, submitted, prepared } = row
  const { content, partyVersion, plan, contentHash } = prepared
  const by = personRefOf(caller)
  const id = newId('ctr')
  await tx.run(sql`
    insert into contract (id, number, external_ref, type, state, party_id, party_version, partner_id,
                          asset, terms, plan, commission, internal_note, financed_amount,
                          first_due_date, serial_folded, ref_folded, content_hash,
                          preparers, prepared_by, submitted_by, submitted_at, created_by, updated_by)
    select ${id}, ${row.year}::text || '-' || lpad(drawn, greatest(length(drawn), 6), '0'),
           ${content.externalRef ?? null}, ${content.type},
           ${submitted ? 'PENDING_APPROVAL' : 'DRAFT'}, ${content.partyId}, ${partyVersion},
           ${content.partnerId ?? null}, ${content.asset ?? null}::jsonb, ${content.terms}::jsonb,
           ${plan}::jsonb, ${content.commission ?? null}::jsonb, ${content.internalNote ?? null},
           ${content.terms.financedAmount.amount}::numeric, ${content.terms.firstDueDate}::date,
           ${serialOf(prepared)}, ${refOf(prepared)}, ${contentHash}, ${personKeysOf(caller)}::text[],
           jsonb_build_array(${by}::jsonb || jsonb_build_object('at', ${instantNow})),
           ${submitted ? by : null}::jsonb, ${submitted ? sql`clock_timestamp()` : sql`null`},
           ${by}::jsonb, ${by}::jsonb
      from cast(nextval('contract_number') as text) as drawn`)
  return await contractById(tx, id)
}

export async function updateContent(
  tx: Tx,
  id: string,
  prepared: PreparedContent,
  caller: Caller,
): Promise<StoredContract> {
  await tx.run(sql`
    update contract
       set ${contentAssignments(prepared)}, decider = null, ${preparedBy(caller)}, ${touchedBy(caller)}
     where id = ${id}`)
  return await contractById(tx, id)
}

/** What a preparer or an approved amendment writes, and everything that follows from it. */
export function contentAssignments(prepared: PreparedContent): Statement {
  const { content, partyVersion, plan, contentHash } = prepared
  return sql`
    external_ref = ${content.externalRef ?? null}, type = ${content.type},
    party_id = ${content.partyId}, party_version = ${partyVersion},
    partner_id = ${content.partnerId ?? null}, asset = ${content.asset ?? null}::jsonb,
    terms = ${content.terms}::jsonb, plan = ${plan}::jsonb,
    commission = ${content.commission ?? null}::jsonb,
    internal_note = ${content.internalNote ?? null},
    financed_amount = ${content.terms.financedAmount.amount}::numeric,
    first_due_date = ${content.terms.firstDueDate}::date,
    serial_folded = ${serialOf(prepared)}, ref_folded = ${refOf(prepared)},
    content_hash = ${contentHash}`
}

/** Whoever edits or submits becomes a preparer, for good. */
export function preparedBy(caller: Caller): Statement {
  const by = personRefOf(caller)
  return sql`
    preparers = (select array_agg(distinct key)
                   from unnest(preparers || ${personKeysOf(caller)}::text[]) key),
    prepared_by = case when prepared_by @> jsonb_build_array(${by}::jsonb) then prepared_by
                       else prepared_by || jsonb_build_array(
                              ${by}::jsonb || jsonb_build_object('at', ${instantNow})) end`
}

export function touchedBy(caller: Caller): Statement {
  return sql`version = version + 1, updated_by = ${personRefOf(caller)}::jsonb,
             updated_at = clock_timestamp()`
}

function serialOf({ content }: PreparedContent): string | null {
  return content.asset?.serialNumber === undefined ? null : folded(content.asset.serialNumber)
}

function refOf({ content }: PreparedContent): string | null {
  return content.externalRef === undefined ? null : folded(content.externalRef)
}

/** Numbers of other live contracts with the same serial number or external reference. */
export function lookalikes(
  read: Read,
  id: string,
  prepared: PreparedContent,
): Promise<{ number: string; sameSerial: boolean }[]> {
  const [serial, ref] = [serialOf(prepared), refOf(prepared)]
  if (serial === null && ref === null) return Promise.resolve([])
  return read.rows(sql`
    select number, coalesce(serial_folded = ${serial}, false) as "sameSerial"
      from contract
     where id <> ${id} and state not in ('REJECTED', 'WITHDRAWN', 'SETTLED', 'TERMINATED')
       and (serial_folded = ${serial} or ref_folded = ${ref})
     order by number
     limit 10`)
}
