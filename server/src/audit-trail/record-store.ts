import { type Statement, sql } from '../storage/sql.ts'

/** Of `audit_entry e`: the members of an AuditRecord, under their names. */
export const recordColumns: Statement = sql`
  e.id, e.at, e.request_id as "requestId", e.subject, e.username, e.client_id as "clientId",
  e.session_id as "sessionId", e.issuer, e.mode, e.actor, e.remote_address as "remoteAddress",
  e.action, e.outcome, e.code, e.item_kind as "itemKind", e.item_id as "itemId",
  e.item_version as "itemVersion", e.diff`
