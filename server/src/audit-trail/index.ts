import type { Route } from '../http/route.ts'
import { exportAudit } from './export-audit.ts'
import { listAudit } from './list-audit.ts'
import { listCheckpoints } from './list-checkpoints.ts'

export { type AccessLog, createAccessLog } from './access-log.ts'
export type { Checkpoint } from './checkpoint.ts'
export { type Checkpoints, openCheckpoints } from './checkpoints.ts'
export { auditPermissions } from './permissions.ts'
export { createSecuritySummary, type SecuritySummary } from './security-summary.ts'
export { createSequencer, type Sequencer } from './sequencer.ts'

export const auditRoutes: readonly Route[] = [listAudit, listCheckpoints, exportAudit]
