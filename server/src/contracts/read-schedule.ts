import { query } from '../http/route.ts'
import { ContractParams } from './contract.ts'
import { Schedule, scheduleView } from './schedule.ts'
import { contractById } from './store.ts'

export const readSchedule = query({
  id: 'readSchedule',
  surface: 'operations',
  path: '/contracts/:contract_id/schedule',
  summary: 'Read the instalment plan of a contract.',
  permission: ['contract:read', 'contract:approve'],
  params: ContractParams,
  reply: Schedule,
  accessed: ({ contractId, partyId }) => ({ kind: 'contract', id: contractId, partyId }),
  run: async ({ read, params }) => scheduleView(await contractById(read, params.contract_id)),
})
