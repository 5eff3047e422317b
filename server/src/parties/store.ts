import type { Caller } from '../access/caller.ts'
import { personRefOf } from '../access/caller.ts'
import { accessErrors } from '../access/errors.ts'
import { personKeysOf } from '../access/four-eyes.ts'
import { fail } from '../base/errors.ts'
import { folded } from '../base/folded.ts'
import { newId } from '../base/ids.ts'
import { httpErrors } from '../http/errors.ts'
import type { PageRequest } from '../http/paging.ts'
import { isConstraint } from '../storage/failures.ts'
import { nothing, type Statement, sql } from '../storage/sql.ts'
import type { Read, Tx } from '../storage/tx.ts'
import { displayNameOf, type NewParty, type StoredParty } from './party.ts'

const columns = sql`
  id, type, display_name as "displayName", person, organisation, email, phone, address, language,
  external_ref as "externalRef", state, version, created_by_partner as "createdByPartner", preparers,
  created_by as "createdBy", created_at as "createdAt", updated_by as "updatedBy",
  updated_at as "updatedAt", bank_account as "bankAccount",
  coalesce((select jsonb_agg(jsonb_build_object('id', change.id, 'kind', change.kind))
              from change
             where item_kind = 'party' and item_id = party.id and change.state = 'PENDING'), '[]')
    as "pendingChanges"`

type Row = { readonly [Column in keyof StoredParty]: StoredParty[Column] | null }

/** Absent members are absent, not null. */
function partyOf(row: Row): StoredParty {
  return Object.fromEntries(
    Object.entries(row).filter(([name, value]) => value !== null || name === 'createdByPartner'),
  ) as StoredParty
}

export async function insertParty(
  tx: Tx,
  given: NewParty,
  caller: Caller,
  id: string = newId('pty'),
): Promise<StoredParty> {
  const by = personRefOf(caller)
  const displayName = displayNameOf(given)
  return partyOf(
    await creatorKnown(
      tx.one<Row>(sql`
      insert into party (id, type, person, organisation, display_name, name_folded,
                         family_folded, email, phone,
                         address, language, external_ref, created_by_partner, preparers,
                         created_by, updated_by)
      values (${id}, ${given.type}, ${given.person ?? null}::jsonb,
              ${given.organisation ?? null}::jsonb, ${displayName}, ${folded(displayName)},
              ${familyOf(given)},
              ${given.email ?? null}, ${given.phone ?? null}, ${given.address ?? null}::jsonb,
              ${given.language ?? null}, ${given.externalRef ?? null}, ${caller.partnerId ?? null},
              ${personKeysOf(caller)}::text[], ${by}::jsonb, ${by}::jsonb)
      returning ${columns}`),
    ),
  )
}

export function familyOf({ person }: NewParty): string | null {
  return person ? folded(`${person.lastName} ${person.firstName}`) : null
}

/** A link to a partner that does not exist here is no link. */
async function creatorKnown<T>(inserted: Promise<T>): Promise<T> {
  try {
    return await inserted
  } catch (error) {
    if (!isConstraint(error, 'party_partner_known')) throw error
    throw accessErrors.PARTNER_REQUIRED(
      'The partner that your account is linked to is not known here; ask an administrator to link it.',
    )
  }
}

export async function partyById(read: Read, id: string): Promise<StoredParty> {
  const row = await read.maybeOne<Row>(sql`select ${columns} from party where id = ${id}`)
  return row ? partyOf(row) : fail(httpErrors.NOT_FOUND('There is no such party.'))
}

export async function partyForUpdate(tx: Tx, id: string): Promise<StoredParty> {
  const row = await tx.maybeOne<Row>(sql`select ${columns} from party where id = ${id} for update`)
  return row ? partyOf(row) : fail(httpErrors.NOT_FOUND('There is no such party.'))
}

/**
 * What a contract needs to know of its party; undefined when the caller may not see it. Held until the
 * transaction ends: a party is not erased while a contract of it is being made.
 */
export function partyForContract(
  tx: Tx,
  id: string,
): Promise<{ id: string; displayName: string; state: string; version: number } | undefined> {
  return tx.maybeOne(sql`
    select id, display_name as "displayName", state, version
      from party where id = ${id} for key share`)
}

const HIGHEST = '\u{10FFFF}'

/** A name is found by its beginning, a person also by the family name. */
export function partyNamed(q: string): Statement {
  const low = folded(q)
  const high = low + HIGHEST
  return sql`((name_folded >= ${low} and name_folded < ${high})
              or (family_folded >= ${low} and family_folded < ${high}))`
}

/** Newest first. */
export async function partiesOf(
  read: Read,
  page: PageRequest,
  q: string | undefined,
): Promise<StoredParty[]> {
  const after = page.after
  const behind = after
    ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]})`
    : nothing
  const named = q === undefined ? nothing : sql`and ${partyNamed(q)}`
  const rows = await read.rows<Row>(sql`
    select ${columns} from party
     where true ${behind} ${named}
     order by created_at desc, id desc
     limit ${page.limit + 1}`)
  return rows.map(partyOf)
}
