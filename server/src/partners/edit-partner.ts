import { Type } from 'typebox'
import { Exact, OneOf, Text } from '../base/schema.ts'
import { Change, changeErrors, changeFact, changeView } from '../changes/index.ts'
import { httpErrors } from '../http/errors.ts'
import { API_PREFIX, command } from '../http/route.ts'
import { BankAccount, readBankAccount } from '../parties/index.ts'
import { partnerActions } from './actions.ts'
import { PARTNER_KINDS, Partner, PartnerParams } from './partner.ts'
import { factOf, partnerChanges, proposePartnerChange } from './partner-changes.ts'
import { partnerForUpdate, updatePlain } from './store.ts'
import { partnerView } from './view.ts'

export const editPartner = command({
  id: 'editPartner',
  surface: 'operations',
  method: 'PATCH',
  path: '/partners/:partner_id',
  summary:
    'Edit a partner. A bank account becomes a change that another user approves (202), and comes alone.',
  action: partnerActions.edit,
  params: PartnerParams,
  body: Exact(
    {
      name: Type.Optional(Text(200)),
      kind: Type.Optional(OneOf(PARTNER_KINDS)),
      bankAccount: Type.Optional(BankAccount),
      reason: Type.Optional(Text(1_000)),
    },
    { minProperties: 1 },
  ),
  reply: Type.Union([Change, Partner]),
  versionRequired: true,
  errors: [changeErrors.CHANGE_ALREADY_PENDING],
  load: (tx, params) => partnerForUpdate(tx, params.partner_id),

  async run({ tx, caller, subject: partner, body }) {
    const { name, kind, bankAccount, reason: given } = body
    if (bankAccount === undefined) {
      const plain = { name: name ?? partner.name, kind: kind ?? partner.kind }
      const edited = await updatePlain(tx, partner.id, plain, caller)
      return {
        reply: partnerView(edited, caller),
        event: factOf('partner.edited', partner, edited, given),
      }
    }
    requireAlone(name ?? kind)
    const reason = given ?? 'Changed bank account.'
    const read = readBankAccount(bankAccount, '/bankAccount')
    if ('faults' in read) {
      throw httpErrors.VALIDATION_FAILED('The bank account is not valid.', { errors: read.faults })
    }
    const change = await proposePartnerChange(tx, partner, {
      kind: 'PARTNER',
      reason,
      before: { bankAccount: partner.bankAccount ?? undefined },
      after: { bankAccount: read.account },
      proposal: { bankAccount: read.account },
      caller,
    })
    return {
      status: 202,
      reply: changeView(change, partnerChanges, caller),
      location: `${API_PREFIX}/partners/${partner.id}/changes/${change.id}`,
      event: changeFact('change.proposed', change, reason),
    }
  },
})

/** One answer cannot say both "done" and "waits". */
function requireAlone(other: unknown): void {
  if (other === undefined) return
  const detail = 'A bank account is changed in a request of its own: it waits, the rest would not.'
  throw httpErrors.RULE_VIOLATED(detail, {
    errors: [{ pointer: '/bankAccount', code: 'NOT_TOGETHER', detail }],
  })
}
