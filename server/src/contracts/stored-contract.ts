import type { PersonRef } from '../access/caller.ts'
import type { Prepared } from '../access/four-eyes.ts'
import type { Money } from '../base/money.ts'
import type { ContractContent, Decision } from './contract.ts'
import type { CompleteTerms } from './plan/index.ts'
import type { ContractState } from './states.ts'

/** The figures of a plan that every representation shows; the rows are reckoned when asked for. */
export interface PlanFigures {
  readonly instalment: Money
  readonly totals: { readonly toPay: Money; readonly interest: Money; readonly vat?: Money }
  readonly effectiveRate: string
  readonly endDate: string
}

/** A contract as it lies in the table, with the few facts of party and partner that it shows. */
export interface StoredContract extends Prepared {
  readonly id: string
  readonly number: string
  readonly type: ContractContent['type']
  readonly state: ContractState
  readonly version: number
  readonly partyId: string
  readonly partyVersion: number
  readonly partyName: string
  readonly partyState: string
  readonly partnerId: string | null
  readonly partnerName: string | null
  readonly partnerState: string | null
  readonly externalRef: string | null
  readonly asset: NonNullable<ContractContent['asset']> | null
  readonly terms: CompleteTerms
  readonly plan: PlanFigures
  readonly commission: Money | null
  readonly internalNote: string | null
  readonly contentHash: string
  readonly submittedBy: PersonRef | null
  readonly submittedAt: string | null
  readonly decisions: readonly Decision[]
  /** Why the last move was made, where the mover said so. */
  readonly moveReason: string | null
  readonly activatedBy: PersonRef | null
  readonly activatedAt: string | null
  readonly activationDate: string | null
  readonly effectiveDate: string | null
  /** The approved change that made this version. */
  readonly changeId: string | null
  /** A change of it waits for a decision. */
  readonly changePending: boolean
  readonly createdBy: PersonRef
  readonly createdAt: string
  readonly updatedBy: PersonRef
  readonly updatedAt: string
}

/** The document that a preparer wrote, as it stands now. */
export function contentOf(contract: StoredContract): ContractContent {
  return {
    type: contract.type,
    partyId: contract.partyId,
    ...(contract.partnerId !== null && { partnerId: contract.partnerId }),
    ...(contract.externalRef !== null && { externalRef: contract.externalRef }),
    ...(contract.asset !== null && { asset: contract.asset }),
    terms: contract.terms,
    ...(contract.commission !== null && { commission: contract.commission }),
    ...(contract.internalNote !== null && { internalNote: contract.internalNote }),
  }
}
