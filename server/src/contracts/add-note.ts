import type { Caller } from '../access/caller.ts'
import { accessErrors } from '../access/errors.ts'
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
  load: (tx, params) => contractById(tx, params.contract_id),

  async run({ tx, caller, subject: contract, body }) {
    requireStaff(caller)
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

/** Notes are what staff tell each other: a customer neither reads nor writes them. */
function requireStaff(caller: Caller): void {
  if (caller.partyId === undefined) return
  throw accessErrors.PERMISSION_MISSING('A caller linked to a party writes no notes.', {
    requiredPermission: 'contract:update',
  })
}
