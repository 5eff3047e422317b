import type { Caller } from '../access/caller.ts'
import type { AuditActor } from '../storage/audit.ts'

export function auditActorOf(
  caller: Caller,
  requestId: string,
  remoteAddress: string | undefined,
): AuditActor {
  return {
    subject: caller.subject,
    username: caller.username,
    clientId: caller.clientId,
    sessionId: caller.sessionId,
    issuer: caller.issuer,
    mode: caller.mode,
    actor: caller.actor?.subject,
    remoteAddress,
    requestId,
  }
}
