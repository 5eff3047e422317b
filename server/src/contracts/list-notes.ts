import { Page, Paged, pageOf, requireInstantPosition } from '../http/paging.ts'
import { query } from '../http/route.ts'
import { ContractParams } from './contract.ts'
import { Note } from './note.ts'
import { notesOf } from './note-store.ts'
import { contractById } from './store.ts'

export const listNotes = query({
  id: 'listNotes',
  surface: 'operations',
  path: '/contracts/:contract_id/notes',
  summary: 'List the notes on a contract, newest first.',
  permission: ['contract:read', 'contract:approve'],
  params: ContractParams,
  query: Paged({}),
  reply: Page(Note),

  async run({ read, params, page }) {
    requireInstantPosition(page)
    const contract = await contractById(read, params.contract_id)
    const notes = await notesOf(read, contract.id, page)
    return pageOf(
      notes,
      page,
      (note) => [note.writtenAt, note.id],
      (note) => note,
    )
  },
})
