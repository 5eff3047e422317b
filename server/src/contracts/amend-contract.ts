import { type Static, Type } from 'typebox'
import { mergePatch } from '../base/merge-patch.ts'
import { Exact, Text } from '../base/schema.ts'
import { Change, changeErrors, changeFact, changeView, proposeChange } from '../changes/index.ts'
import { API_PREFIX, command } from '../http/route.ts'
import { validatorOf } from '../http/validate.ts'
import { contractActions } from './actions.ts'
import { ContractContent, ContractParams } from './contract.ts'
import { contractChanges } from './contract-changes.ts'
import { prepareContent } from './prepare-content.ts'
import { ruleViolated } from './rule-violated.ts'
import { contractForUpdate } from './store.ts'
import { contentOf, type StoredContract } from './stored-contract.ts'

const requireContent = validatorOf(ContractContent, '')

export const amendContract = command({
  id: 'amendContract',
  surface: 'operations',
  method: 'POST',
  path: '/contracts/:contract_id/changes',
  summary: 'Propose an amendment of an active contract; it restates the whole plan once approved.',
  action: contractActions.amend,
  params: ContractParams,
  body: Exact({
    terms: Type.Optional(Type.Unknown({ description: 'terms to change, as JSON Merge Patch' })),
    asset: Type.Optional(Type.Unknown({ description: 'asset to change, as JSON Merge Patch' })),
    reason: Text(1_000),
  }),
  reply: Change,
  status: 202,
  errors: [changeErrors.CHANGE_ALREADY_PENDING],
  load: (tx, params) => contractForUpdate(tx, params.contract_id),

  async run({ tx, caller, subject: contract, body }) {
    const { reason, ...patch } = body
    const merged = mergePatch(contentOf(contract), patch)
    requireContent(merged)
    const prepared = await prepareContent(tx, merged as Static<typeof ContractContent>)
    if (prepared.contentHash === contract.contentHash) {
      throw ruleViolated('', 'NOTHING_CHANGES', 'The amendment changes nothing.')
    }
    const change = await proposeChange(tx, {
      kind: 'AMENDMENT',
      itemKind: 'contract',
      item: contract,
      partyId: contract.partyId,
      partnerId: contract.partnerId,
      reason,
      before: amendedPart(contract),
      after: { terms: prepared.content.terms, asset: prepared.content.asset, ...prepared.plan },
      proposal: { content: prepared.content, plan: prepared.plan },
      caller,
    })
    return {
      reply: changeView(change, contractChanges, caller),
      location: `${API_PREFIX}/contracts/${contract.id}/changes/${change.id}`,
      event: changeFact('change.proposed', change, reason),
    }
  },
})

/** What the decider compares: what was agreed, and the figures that follow from it. */
function amendedPart({ terms, asset, plan }: StoredContract): object {
  return { terms, asset: asset ?? undefined, ...plan }
}
