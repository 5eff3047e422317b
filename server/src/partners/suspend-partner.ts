import { Reason } from '../changes/index.ts'
import { command } from '../http/route.ts'
import { partnerActions } from './actions.ts'
import { Partner, PartnerParams } from './partner.ts'
import { factOf } from './partner-changes.ts'
import { partnerForUpdate, suspend } from './store.ts'
import { partnerView } from './view.ts'

export const suspendPartner = command({
  id: 'suspendPartner',
  surface: 'operations',
  method: 'POST',
  path: '/partners/:partner_id/suspend',
  summary: 'Suspend a partner at once: it brings no new contracts. Resuming needs two.',
  action: partnerActions.suspend,
  params: PartnerParams,
  body: Reason,
  reply: Partner,
  load: (tx, params) => partnerForUpdate(tx, params.partner_id),

  async run({ tx, caller, subject: partner, body }) {
    const suspended = await suspend(tx, partner.id, body.reason, caller)
    return {
      reply: partnerView(suspended, caller),
      event: factOf('partner.suspended', partner, suspended, body.reason),
    }
  },
})
