import { requireParty } from '../access/scope.ts'
import { Page, Paged, pageOf, requireInstantPosition } from '../http/paging.ts'
import { query } from '../http/route.ts'
import { MyContract, myContractView } from './my-contract.ts'
import { contractsOfParty } from './my-store.ts'

export const listMyContracts = query({
  id: 'listMyContracts',
  surface: 'customer',
  path: '/my/contracts',
  summary: 'List your own contracts, newest first.',
  permission: ['my:read', 'contract:read'],
  query: Paged({}),
  reply: Page(MyContract),

  async run({ read, caller, page, calendar }) {
    requireInstantPosition(page)
    const contracts = await contractsOfParty(read, requireParty(caller), page)
    const today = calendar.today()
    return pageOf(
      contracts,
      page,
      (contract) => [contract.createdAt, contract.id],
      (contract) => myContractView(contract, today),
    )
  },
})
