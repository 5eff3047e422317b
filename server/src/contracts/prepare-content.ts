import { canonicalJson } from '../base/canonical-json.ts'
import { sha256Hex } from '../base/digest.ts'
import type { FieldFault } from '../base/errors.ts'
import { type Money, readMoney } from '../base/money.ts'
import { httpErrors } from '../http/errors.ts'
import { partyForContract } from '../parties/index.ts'
import { partnerForContract } from '../partners/index.ts'
import type { Tx } from '../storage/tx.ts'
import type { ContractContent } from './contract.ts'
import { type CompleteTerms, type Plan, planOf, type Terms } from './plan/index.ts'
import { ruleViolated } from './rule-violated.ts'
import type { PlanFigures } from './stored-contract.ts'

/** Content that was checked, completed, reckoned and hashed: ready to be stored. */
export interface PreparedContent {
  readonly content: ContractContent & { readonly terms: CompleteTerms }
  readonly partyVersion: number
  readonly plan: PlanFigures
  readonly contentHash: string
}

/** The same for a new contract and for an edited draft: nothing enters the table unchecked. */
export async function prepareContent(tx: Tx, given: ContractContent): Promise<PreparedContent> {
  const { terms, plan } = reckoned(given)
  const content = { ...given, ...withCanonicalMoney(given), terms }
  const partyVersion = await requireReferences(tx, content)
  const { rows, ...figures } = plan
  return {
    content,
    partyVersion,
    plan: figures,
    contentHash: contentHashOf({ ...content, partyVersion, plan: { ...figures, rows } }),
  }
}

/** SHA-256 over canonical JSON (RFC 8785) of everything that an approver decides on. */
function contentHashOf(decided: ContractContent & { partyVersion: number; plan: Plan }): string {
  const { internalNote: _, ...hashed } = decided
  return sha256Hex(canonicalJson(hashed))
}

function reckoned(given: ContractContent): { terms: CompleteTerms; plan: Plan } {
  const outcome = planOf(given.terms as Terms)
  if (outcome.ok) return outcome
  const kind =
    outcome.kind === 'MALFORMED' ? httpErrors.VALIDATION_FAILED : httpErrors.RULE_VIOLATED
  throw kind((outcome.faults[0] as FieldFault).detail, { errors: outcome.faults })
}

/** Amounts beside the terms, in the one way of writing them. */
function withCanonicalMoney(given: ContractContent): Partial<ContractContent> {
  const faults: FieldFault[] = []
  const read = (pointer: string, money: Money): Money => {
    const outcome = readMoney(money, 'NOT_NEGATIVE')
    if (outcome.ok) return outcome.value
    const { member, ...fault } = outcome.fault
    faults.push({ pointer: `${pointer}/${member}`, ...fault })
    return money
  }
  const canonical = {
    ...(given.asset && {
      asset: { ...given.asset, price: read('/asset/price', given.asset.price) },
    }),
    ...(given.commission && { commission: read('/commission', given.commission) }),
  }
  if (faults.length > 0) {
    throw httpErrors.VALIDATION_FAILED((faults[0] as FieldFault).detail, { errors: faults })
  }
  return canonical
}

/** What the caller may not see does not exist for it: the same answer as for an unknown id. */
async function requireReferences(tx: Tx, content: ContractContent): Promise<number> {
  const party = await partyForContract(tx, content.partyId)
  if (party === undefined) throw ruleViolated('/partyId', 'UNKNOWN', 'There is no such party.')
  if (party.state !== 'ACTIVE') {
    throw ruleViolated(
      '/partyId',
      'PARTY_NOT_ACTIVE',
      'This party is blocked or erased; it takes no new contracts.',
    )
  }
  if (content.partnerId !== undefined) {
    const partner = await partnerForContract(tx, content.partnerId)
    if (partner === undefined)
      throw ruleViolated('/partnerId', 'UNKNOWN', 'There is no such partner.')
    if (partner.state !== 'ACTIVE') {
      throw ruleViolated(
        '/partnerId',
        'PARTNER_SUSPENDED',
        'This partner is suspended; it brings no new contracts.',
      )
    }
  }
  return party.version
}
