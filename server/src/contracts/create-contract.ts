import { API_PREFIX, command } from '../http/route.ts'
import { changeOf } from './change-fact.ts'
import { Contract, NewContract } from './contract.ts'
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

  async run({ tx, caller, body, calendar }) {
    const { draft, ...given } = body
    requireOwnFields(given, caller)
    const content = { ...given, ...partnerOf(given.partnerId ?? caller.partnerId) }
    const prepared = await prepareContent(tx, content)
    const today = calendar.today()
    const contract = await insertContract(tx, {
      prepared,
      caller,
      submitted: draft !== true,
      year: today.slice(0, 4),
    })
    const warnings = lookalikeWarnings(await lookalikes(tx, contract.id, prepared))
    return {
      reply: contractView(contract, caller, today),
      location: `${API_PREFIX}/contracts/${contract.id}`,
      warnings,
      event: changeOf(
        draft === true ? 'contract.created' : 'contract.submitted',
        undefined,
        contract,
      ),
    }
  },
})

function partnerOf(partnerId: string | undefined): { partnerId?: string } {
  return partnerId === undefined ? {} : { partnerId }
}
