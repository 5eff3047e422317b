import type { AuditActor } from '../storage/audit.ts'

/** What the platform writes by itself is nobody's request. */
export function systemActor(requestId: string): AuditActor {
  return { subject: 'system:tfs', username: 'tfs', mode: 'system', requestId }
}
