import { canonicalJson } from '../../base/canonical-json.ts'
import { sha256Hex } from '../../base/digest.ts'
import { folded } from '../../base/folded.ts'
import { dayOfInstant, dueDayAfter } from '../days.ts'
import type { DatedDeal, Deal } from './deals.ts'
import type { Dice } from './dice.ts'
import { loadPartyId } from './load-party.ts'
import { bringsParty, type LoadPlan, newestPartyAt, type Timeline } from './load-plan.ts'

/** What all contracts of one plan have in common. */
export interface Scenery {
  readonly plan: LoadPlan
  readonly timeline: Timeline
  readonly deals: readonly Deal[]
  readonly dealOn: (place: number, firstDueDate: string) => DatedDeal
  readonly partnerIds: readonly string[]
}

const PARTNER_PERCENT = 60
const REF_PERCENT = 40

/** What a preparer would have written, and all that follows from it, by the names of the columns. */
export function loadContentOf(scenery: Scenery, dice: Dice, ms: number, index: number) {
  const { plan, deals, dealOn, partnerIds } = scenery
  const place = dice.below(deals.length)
  const firstDueDate = dueDayAfter(dayOfInstant(ms), 1, (deals[place] as Deal).dueDay)
  const deal = dealOn(place, firstDueDate)
  const serialNumber = `LOAD-${plan.seed}-S${index}`
  const asset = deal.asset && { ...deal.asset, serialNumber }
  const partyId = partyIdOf(scenery, dice, index)
  const partnerId = dice.chance(PARTNER_PERCENT) ? dice.pick(partnerIds) : undefined
  const externalRef = dice.chance(REF_PERCENT) ? `LOAD-${plan.seed}-C${index}` : undefined
  const commission = partnerId && deal.commission
  const { type, dated: terms, figures, planText } = deal
  return {
    external_ref: externalRef ?? null,
    type,
    party_id: partyId,
    party_version: 1,
    partner_id: partnerId ?? null,
    asset: asset ?? null,
    terms,
    plan: figures,
    commission: commission ?? null,
    internal_note: null,
    financed_amount: terms.financedAmount.amount,
    first_due_date: firstDueDate,
    serial_folded: asset ? folded(serialNumber) : null,
    ref_folded: externalRef === undefined ? null : folded(externalRef),
    content_hash: contentHashOf(
      { type, partyId, partyVersion: 1, partnerId, externalRef, asset, terms, commission },
      planText,
    ),
  }
}

/** As contracts/prepare-content.ts hashes, with the plan's part written once for many contracts. */
function contentHashOf(decided: object, planText: string): string {
  const parts: (readonly [string, string])[] = [['plan', planText]]
  for (const [name, value] of Object.entries(decided)) {
    if (value !== undefined) parts.push([name, canonicalJson(value)])
  }
  parts.sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256Hex(`{${parts.map(([name, text]) => `"${name}":${text}`).join(',')}}`)
}

/** A new customer, or one of those who were there already, the newer the likelier. */
function partyIdOf({ plan, timeline }: Scenery, dice: Dice, index: number): string {
  const newest = newestPartyAt(index)
  const share = dice.next()
  const back = bringsParty(index) ? 0 : Math.floor(share * share * (newest + 1))
  return loadPartyId(plan, timeline, newest - back)
}
