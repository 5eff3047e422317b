import { Exact, Text } from '../base/schema.ts'
import { command } from '../http/route.ts'
import { ContractParams } from './contract.ts'
import { Note } from './note.ts'
import { insertNote } from './note-store.ts'
import { contractById } from './store.ts'

export const addNote = command({
  id: 'addNote',
  surface: 'operations',
  method: 'POST',
  path: '/contracts/:contract_id/notes',
  summary: 'Add a note to a contract. Notes are never changed or removed.',
  permission: 'contract:update',
  params: ContractParams,
  body: Exact({ text: Text(2_000) }),
  reply: Note,
  status: 201,

  async run({ tx, caller, params, body }) {
    const contract = await contractById(tx, params.contract_id)
    const note = await insertNote(tx, contract, body.text, caller)
    return {
      reply: note,
      event: {
        name: 'note.added',
        item: { id: note.id, version: 1 },
        after: { contractId: contract.id },
      },
    }
  },
})
