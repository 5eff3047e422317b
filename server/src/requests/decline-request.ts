import { changeErrors, Reason } from '../changes/index.ts'
import { command } from '../http/route.ts'
import { requestActions } from './actions.ts'
import { RequestParams, StaffRequest } from './staff-request.ts'
import { answerRequest, requestForUpdate } from './store.ts'
import { staffRequestView } from './view.ts'

export const declineRequest = command({
  id: 'declineRequest',
  surface: 'operations',
  method: 'POST',
  path: '/requests/:request_id/decline',
  summary: 'Decline what a customer asked for, with a reason that the customer reads.',
  action: requestActions.decline,
  unscopedOnly: true,
  params: RequestParams,
  body: Reason,
  reply: StaffRequest,
  errors: [changeErrors.ALREADY_DECIDED],
  load: (tx, params) => requestForUpdate(tx, params.request_id),

  async run({ tx, caller, subject: request, body }) {
    const declined = await answerRequest(tx, request.id, { declined: body.reason }, caller)
    return {
      reply: staffRequestView(declined, caller),
      event: {
        name: 'request.declined',
        item: declined,
        before: { state: request.state },
        after: { state: declined.state, reason: body.reason },
      },
    }
  },
})
