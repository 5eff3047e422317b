import { Change, changeErrors, changeFact, changeView, Reason } from '../changes/index.ts'
import { API_PREFIX, command } from '../http/route.ts'
import { partnerActions } from './actions.ts'
import { PartnerParams } from './partner.ts'
import { partnerChanges, proposePartnerChange } from './partner-changes.ts'
import { partnerForUpdate } from './store.ts'

export const resumePartner = command({
  id: 'resumePartner',
  surface: 'operations',
  method: 'POST',
  path: '/partners/:partner_id/resume',
  summary: 'Propose to end the suspension of a partner; another user approves it.',
  action: partnerActions.resume,
  params: PartnerParams,
  body: Reason,
  reply: Change,
  status: 202,
  errors: [changeErrors.CHANGE_ALREADY_PENDING],
  load: (tx, params) => partnerForUpdate(tx, params.partner_id),

  async run({ tx, caller, subject: partner, body }) {
    const change = await proposePartnerChange(tx, partner, {
      kind: 'RESUME',
      reason: body.reason,
      before: { state: partner.state },
      after: { state: 'ACTIVE' },
      proposal: {},
      caller,
    })
    return {
      reply: changeView(change, partnerChanges, caller),
      location: `${API_PREFIX}/partners/${partner.id}/changes/${change.id}`,
      event: changeFact('change.proposed', change, body.reason),
    }
  },
})
