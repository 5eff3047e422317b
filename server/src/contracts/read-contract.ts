import { query } from '../http/route.ts'
import { Contract, ContractParams } from './contract.ts'
import { contractById } from './store.ts'
import { contractView } from './view.ts'

export const readContract = query({
  id: 'readContract',
  surface: 'operations',
  path: '/contracts/:contract_id',
  summary: 'Read one contract, by id or by number.',
  permission: ['contract:read', 'contract:approve'],
  params: ContractParams,
  reply: Contract,
  run: async ({ read, caller, params, calendar }) =>
    contractView(await contractById(read, params.contract_id), caller, calendar.today()),
})
