import { changeErrors, changeFact } from '../changes/index.ts'
import { command } from '../http/route.ts'
import { proposeWish } from '../parties/index.ts'
import { requestActions } from './actions.ts'
import { RequestParams, StaffRequest } from './staff-request.ts'
import { answerRequest, requestForUpdate } from './store.ts'
import { staffRequestView } from './view.ts'

export const acceptRequest = command({
  id: 'acceptRequest',
  surface: 'operations',
  method: 'POST',
  path: '/requests/:request_id/accept',
  summary:
    'Take up what a customer asked for: it becomes a pending change that another user approves. Customer and staff are its preparers.',
  action: requestActions.accept,
  unscopedOnly: true,
  params: RequestParams,
  reply: StaffRequest,
  errors: [changeErrors.ALREADY_DECIDED, changeErrors.CHANGE_ALREADY_PENDING],
  load: (tx, params) => requestForUpdate(tx, params.request_id),

  async run({ tx, caller, subject: request }) {
    const change = await proposeWish(tx, {
      partyId: request.partyId,
      wish: request.wish,
      caller,
      wishedBy: {
        keys: request.personKeys,
        preparation: { ...request.requestedBy, at: request.createdAt },
      },
    })
    const accepted = await answerRequest(tx, request.id, { changeId: change.id }, caller)
    return {
      reply: staffRequestView(accepted, caller),
      event: {
        name: 'request.accepted',
        item: accepted,
        before: { state: request.state },
        after: { state: accepted.state, changeId: change.id },
      },
      also: [changeFact('change.proposed', change, undefined)],
    }
  },
})
