import { type Statement, sql } from '../storage/sql.ts'

/** Of `audit_entry e`: the members of an AuditRecord, under their names. */
export const recordColumns: Statement = sql`
  e.id, e.at, e.request_id as "requestId", e.subject, e.username, e.client_id as "clientId",
  e.session_id as "sessionId", e.issuer, e.mode, e.actor, e.remote_address as "remoteAddress",
  e.action, e.outcome, e.code, e.item_kind as "itemKind", e.item_id as "itemId",
  e.item_version as "itemVersion", e.diff`

/** The same as one value; null where the entry is gone. Times are written as on the wire. */
export const recordJson: Statement = sql`
  case when e.id is not null then jsonb_build_object(
    'id', e.id,
    'at', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'requestId', e.request_id, 'subject', e.subject, 'username', e.username,
    'clientId', e.client_id, 'sessionId', e.session_id, 'issuer', e.issuer, 'mode', e.mode,
    'actor', e.actor, 'remoteAddress', e.remote_address, 'action', e.action,
    'outcome', e.outcome, 'code', e.code, 'itemKind', e.item_kind, 'itemId', e.item_id,
    'itemVersion', e.item_version, 'diff', e.diff) end`
