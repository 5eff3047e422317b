import { requireParty } from '../access/scope.ts'
import { query } from '../http/route.ts'
import { ContractParams } from './contract.ts'
import { MyContract, myContractView } from './my-contract.ts'
import { contractOfParty } from './my-store.ts'

export const readMyContract = query({
  id: 'readMyContract',
  surface: 'customer',
  path: '/my/contracts/:contract_id',
  summary: 'Read one of your own contracts.',
  permission: ['my:read', 'contract:read'],
  params: ContractParams,
  reply: MyContract,
  run: async ({ read, caller, params, calendar }) =>
    myContractView(
      await contractOfParty(read, requireParty(caller), params.contract_id),
      calendar.today(),
    ),
})
