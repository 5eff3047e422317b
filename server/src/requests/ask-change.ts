import { requireParty } from '../access/scope.ts'
import type { FieldFault } from '../base/errors.ts'
import { httpErrors } from '../http/errors.ts'
import { API_PREFIX, command } from '../http/route.ts'
import { readBankAccount } from '../parties/index.ts'
import { MyRequest, NewRequest } from './request.ts'
import { insertRequest } from './store.ts'
import { myRequestView } from './view.ts'

export const askChange = command({
  id: 'askChange',
  surface: 'customer',
  method: 'POST',
  path: '/my/requests',
  summary: 'Ask for a change of your address or bank account. Two members of staff look at it.',
  permission: 'my:request',
  body: NewRequest,
  reply: MyRequest,
  status: 201,

  async run({ tx, caller, body }) {
    const wish = requireWish(body)
    const partyId = requireParty(caller)
    const request = await insertRequest(tx, partyId, wish, caller)
    return {
      reply: myRequestView(request),
      location: `${API_PREFIX}/my/requests`,
      event: {
        name: 'request.asked',
        item: request,
        after: { kind: request.kind, partyId },
      },
    }
  },
})

/** Exactly what the kind names, and in one piece. */
function requireWish(given: NewRequest): NewRequest {
  const [wanted, other] =
    given.kind === 'ADDRESS'
      ? (['address', 'bankAccount'] as const)
      : (['bankAccount', 'address'] as const)
  const errors: FieldFault[] = []
  if (given[wanted] === undefined) {
    errors.push({
      pointer: `/${wanted}`,
      code: 'REQUIRED',
      detail: `A wish of kind ${given.kind} needs "${wanted}".`,
    })
  }
  if (given[other] !== undefined) {
    errors.push({
      pointer: `/${other}`,
      code: 'NOT_ALLOWED',
      detail: `A wish of kind ${given.kind} has no "${other}".`,
    })
  }
  const read = given.bankAccount && readBankAccount(given.bankAccount, '/bankAccount')
  if (read && 'faults' in read) errors.push(...read.faults)
  if (errors.length > 0) throw httpErrors.VALIDATION_FAILED('The wish is not complete.', { errors })
  return read && 'account' in read ? { ...given, bankAccount: read.account } : given
}
