import { Type } from 'typebox'
import { Exact } from '../base/schema.ts'
import { actionsOf } from '../http/action.ts'
import { query } from '../http/route.ts'
import { contractActionList } from './actions.ts'
import { Contract, ContractParams } from './contract.ts'
import { contractById } from './store.ts'
import { contractAtVersion } from './version-store.ts'
import { contractView } from './view.ts'

export const readContract = query({
  id: 'readContract',
  surface: 'operations',
  path: '/contracts/:contract_id',
  summary: 'Read one contract, by id or by number; ?version= reads an earlier version.',
  permission: ['contract:read', 'contract:approve'],
  params: ContractParams,
  query: Exact({ version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })) }),
  reply: Contract,
  accessed: ({ id, partyId }) => ({ kind: 'contract', id, partyId }),

  async run({ read, caller, params, query, calendar }) {
    const current = await contractById(read, params.contract_id)
    const shown =
      query.version === undefined || query.version === current.version
        ? current
        : await contractAtVersion(read, current.id, query.version)
    const view = contractView(shown, caller, calendar.today())
    // What can be done is done with the contract as it stands now.
    return shown === current
      ? view
      : { ...view, actions: actionsOf(contractActionList, current, caller) }
  },
})
