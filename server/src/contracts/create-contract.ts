import { nobodyToDecide } from '../changes/index.ts'
import { API_PREFIX, command } from '../http/route.ts'
import { partyErrors } from '../parties/index.ts'
import { changeOf } from './change-fact.ts'
import { Contract, NewContract } from './contract.ts'
import { contractPartyOf } from './contract-party.ts'
import { requireOwnFields } from './own-fields.ts'
import { prepareContent } from './prepare-content.ts'
import { insertContract, lookalikes } from './store.ts'
import { contractView } from './view.ts'
import { lookalikeWarnings } from './warnings.ts'

export const createContract = command({
  id: 'createContract',
  surface: 'operations',
  method: 'POST',
  path: '/contracts',
  summary: 'Prepare a contract; it waits for another user’s approval unless it is kept a draft.',
  permission: 'contract:create',
  body: NewContract,
  reply: Contract,
  status: 201,
  errors: [partyErrors.DUPLICATE_PARTY],

  async run({ tx, caller, body, calendar }) {
    const { draft, party, partyId: named, ...given } = body
    const today = calendar.today()
    requireOwnFields(given, caller)
    const { partyId, made } = await contractPartyOf(tx, named, party, { caller, today })
    const content = { ...given, partyId, ...partnerOf(given.partnerId ?? caller.partnerId) }
    const prepared = await prepareContent(tx, content)
    const contract = await insertContract(tx, {
      prepared,
      caller,
      submitted: draft !== true,
      year: today.slice(0, 4),
    })
    const warnings = [
      ...lookalikeWarnings(await lookalikes(tx, contract.id, prepared)),
      ...(draft ? [] : await nobodyToDecide(tx, 'contract:approve', contract.preparers)),
    ]
    return {
      reply: contractView(contract, caller, today),
      location: `${API_PREFIX}/contracts/${contract.id}`,
      warnings,
      event: changeOf(
        draft === true ? 'contract.created' : 'contract.submitted',
        undefined,
        contract,
      ),
      also: made,
    }
  },
})

function partnerOf(partnerId: string | undefined): { partnerId?: string } {
  return partnerId === undefined ? {} : { partnerId }
}
