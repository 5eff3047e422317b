import { canonicalJson } from '../../base/canonical-json.ts'
import type { Money } from '../../base/money.ts'
import type { ContractContent } from '../../contracts/index.ts'
import { type CompleteTerms, type Plan, planOf, type Terms } from '../../contracts/plan/index.ts'
import { type Dice, diceOf } from './dice.ts'
import type { LoadPlan } from './load-plan.ts'

/** What is agreed again and again. Reckoning a plan takes longer than storing a contract. */
export interface Deal {
  readonly type: ContractContent['type']
  readonly terms: Omit<Terms, 'firstDueDate'>
  readonly asset: Omit<NonNullable<ContractContent['asset']>, 'serialNumber'> | undefined
  readonly commission: Money
  readonly dueDay: number
}

/** A deal that begins on a certain day: its plan, and the plan's part of what is hashed. */
export interface DatedDeal extends Deal {
  readonly dated: CompleteTerms
  readonly figures: Omit<Plan, 'rows'>
  readonly planText: string
}

const CONTRACTS_PER_DEAL = 500
const [FEWEST_DEALS, MOST_DEALS] = [40, 2_000]

const eur = (whole: number): Money => ({ amount: `${whole}.00`, currency: 'EUR' })

interface Kind {
  readonly type: Deal['type']
  readonly weight: number
  readonly least: number
  readonly most: number
  readonly isLease: boolean
  readonly assets: readonly (readonly [category: string, description: string])[]
}

const KINDS: readonly Kind[] = [
  { type: 'LOAN', weight: 35, least: 1_000, most: 60_000, isLease: false, assets: [] },
  {
    ...{ type: 'HIRE_PURCHASE', weight: 30, least: 3_000, most: 80_000, isLease: false },
    assets: [
      ['VEHICLE', 'Car'],
      ['VEHICLE', 'Van'],
      ['MACHINERY', 'Machine tool'],
    ],
  },
  {
    ...{ type: 'FINANCE_LEASE', weight: 20, least: 10_000, most: 400_000, isLease: true },
    assets: [
      ['CONSTRUCTION', 'Excavator'],
      ['FORESTRY', 'Harvester'],
      ['MEDICAL', 'Scanner'],
    ],
  },
  {
    ...{ type: 'OPERATING_LEASE', weight: 15, least: 15_000, most: 250_000, isLease: true },
    assets: [
      ['VEHICLE', 'Truck'],
      ['OFFICE', 'Printers'],
    ],
  },
]
const FREQUENCIES = ['MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY'] as const
const FREQUENCY_WEIGHTS = [80, 14, 3, 3]
const ROUND_TO = 50
const LEASE_VAT = '19'

export function dealsOf(plan: LoadPlan): readonly Deal[] {
  const wanted = Math.ceil(plan.contracts / CONTRACTS_PER_DEAL)
  const count = Math.min(MOST_DEALS, Math.max(FEWEST_DEALS, wanted))
  return Array.from({ length: count }, (_, index) => dealOf(diceOf(plan.seed, 'deal', index)))
}

function dealOf(dice: Dice): Deal {
  const kind = KINDS[dice.weighted(KINDS.map(({ weight }) => weight))] as Kind
  const amount = amountOf(dice, kind)
  const [category, description] = kind.assets.length > 0 ? dice.pick(kind.assets) : []
  return {
    type: kind.type,
    terms: {
      financedAmount: eur(amount),
      nominalRate: `${1 + dice.below(8)}.${dice.below(10)}`,
      termMonths: 12 * (1 + dice.below(7)),
      frequency: FREQUENCIES[dice.weighted(FREQUENCY_WEIGHTS)] as (typeof FREQUENCIES)[number],
      ...(kind.isLease && leaseTerms(dice, amount)),
    },
    asset: category && description ? { category, description, price: eur(amount) } : undefined,
    commission: eur(Math.round(amount / 100)),
    dueDay: dice.chance(70) ? 1 : 15,
  }
}

/** Small ones are common, large ones rare. */
function amountOf(dice: Dice, { least, most }: Kind): number {
  const share = dice.next()
  return least + Math.round((share * share * share * (most - least)) / ROUND_TO) * ROUND_TO
}

function leaseTerms(dice: Dice, amount: number): Partial<Terms> {
  return {
    residualValue: eur(Math.round((amount * dice.below(31)) / 100)),
    timing: dice.chance(40) ? 'ADVANCE' : 'ARREARS',
    vatRate: LEASE_VAT,
  }
}

/** Contracts come in the order of time, so a deal is asked for with a few dates at once at most. */
export function datedDeals(deals: readonly Deal[]): (place: number, due: string) => DatedDeal {
  const latest = new Map<number, DatedDeal>()
  return (place, firstDueDate) => {
    const known = latest.get(place)
    if (known?.dated.firstDueDate === firstDueDate) return known
    const deal = deals[place] as Deal
    const outcome = planOf({ ...deal.terms, firstDueDate })
    if (!outcome.ok) throw new Error(`Deal ${place} gives no plan: ${outcome.faults[0]?.detail}`)
    const { rows: _, ...figures } = outcome.plan
    const planText = canonicalJson(outcome.plan)
    const dated = { ...deal, dated: outcome.terms, figures, planText }
    latest.set(place, dated)
    return dated
  }
}
