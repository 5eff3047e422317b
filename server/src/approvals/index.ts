import type { Route } from '../http/route.ts'
import { decideApprovals } from './decide-approvals.ts'
import { listApprovals } from './list-approvals.ts'

export const approvalRoutes: readonly Route[] = [listApprovals, decideApprovals]
