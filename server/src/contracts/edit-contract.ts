import { type Static, Type } from 'typebox'
import { mergePatch } from '../base/merge-patch.ts'
import { Exact } from '../base/schema.ts'
import { command } from '../http/route.ts'
import { validatorOf } from '../http/validate.ts'
import { contractActions } from './actions.ts'
import { changeOf } from './change-fact.ts'
import { Contract, ContractContent, ContractParams } from './contract.ts'
import { requireOwnFields } from './own-fields.ts'
import { prepareContent } from './prepare-content.ts'
import { contractForUpdate, lookalikes, updateContent } from './store.ts'
import { contentOf } from './stored-contract.ts'
import { contractView } from './view.ts'
import { lookalikeWarnings } from './warnings.ts'

/** Any member of the content may be given; null takes an optional one away (RFC 7396). */
const ContractPatch = Exact(
  Object.fromEntries(
    Object.entries(ContractContent.properties).map(([name]) => [
      name,
      Type.Optional(Type.Unknown()),
    ]),
  ),
  { minProperties: 1, description: 'JSON Merge Patch of the contract’s content' },
)
const requireContent = validatorOf(ContractContent, '')

export const editContract = command({
  id: 'editContract',
  surface: 'operations',
  method: 'PATCH',
  path: '/contracts/:contract_id',
  summary: 'Edit a draft by JSON Merge Patch. The editor becomes one of its preparers.',
  action: contractActions.edit,
  params: ContractParams,
  body: ContractPatch,
  reply: Contract,
  versionRequired: true,
  load: (tx, params) => contractForUpdate(tx, params.contract_id),

  async run({ tx, caller, subject: contract, body, calendar }) {
    requireOwnFields(body, caller)
    const merged = mergePatch(contentOf(contract), body)
    requireContent(merged)
    const prepared = await prepareContent(tx, merged as Static<typeof ContractContent>)
    const edited = await updateContent(tx, contract.id, prepared, caller)
    return {
      reply: contractView(edited, caller, calendar.today()),
      warnings: lookalikeWarnings(await lookalikes(tx, contract.id, prepared)),
      event: changeOf('contract.edited', contract, edited),
    }
  },
})
