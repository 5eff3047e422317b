import { accessErrors } from '../access/errors.ts'
import { isScoped } from '../access/scope.ts'
import { changeFact } from '../changes/index.ts'
import { httpErrors } from '../http/errors.ts'
import { API_PREFIX, command } from '../http/route.ts'
import { readBankAccount } from '../parties/index.ts'
import { NewPartner, Partner } from './partner.ts'
import { factOf, proposePartnerChange } from './partner-changes.ts'
import { insertPartner, partnerById } from './store.ts'
import { partnerView } from './view.ts'

export const createPartner = command({
  id: 'createPartner',
  surface: 'operations',
  method: 'POST',
  path: '/partners',
  summary: 'Create a partner. A bank account waits for another user’s approval.',
  permission: 'partner:create',
  body: NewPartner,
  reply: Partner,
  status: 201,

  async run({ tx, caller, body }) {
    if (isScoped(caller)) {
      throw accessErrors.PERMISSION_MISSING('Only staff of the house create partners.', {
        requiredPermission: 'partner:create',
      })
    }
    const { bankAccount, ...given } = body
    const read = bankAccount && readBankAccount(bankAccount, '/bankAccount')
    if (read && 'faults' in read) {
      throw httpErrors.VALIDATION_FAILED('The bank account is not valid.', { errors: read.faults })
    }
    const created = await insertPartner(tx, given, caller)
    const change =
      read &&
      (await proposePartnerChange(tx, created, {
        kind: 'PARTNER',
        reason: 'Bank account given with the new partner.',
        before: {},
        after: { bankAccount: read.account },
        proposal: { bankAccount: read.account },
        caller,
      }))
    const partner = change ? await partnerById(tx, created.id) : created
    return {
      reply: partnerView(partner, caller),
      location: `${API_PREFIX}/partners/${partner.id}`,
      event: factOf('partner.created', undefined, created),
      ...(change && { also: [changeFact('change.proposed', change, undefined)] }),
    }
  },
})
