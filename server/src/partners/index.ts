import { changeRoutesOf } from '../changes/index.ts'
import type { Route } from '../http/route.ts'
import { createPartner } from './create-partner.ts'
import { editPartner } from './edit-partner.ts'
import { listPartners } from './list-partners.ts'
import { partnerChanges } from './partner-changes.ts'
import { readPartner } from './read-partner.ts'
import { resumePartner } from './resume-partner.ts'
import { suspendPartner } from './suspend-partner.ts'

export { partnerChanges } from './partner-changes.ts'
export { partnerPermissions } from './permissions.ts'
export { insertPartner, partnerForContract } from './store.ts'

export const partnerRoutes: readonly Route[] = [
  createPartner,
  listPartners,
  readPartner,
  editPartner,
  suspendPartner,
  resumePartner,
  ...changeRoutesOf(partnerChanges),
]
