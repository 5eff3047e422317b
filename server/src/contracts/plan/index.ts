export { nextDueOf, outstandingByPlan } from './by-plan.ts'
export { type Plan, type PlanOutcome, planOf } from './plan.ts'
export type { PlanRow, Totals } from './rows.ts'
export {
  type CompleteTerms,
  type Frequency,
  MAX_TERM_MONTHS,
  MIN_TERM_MONTHS,
  MONTHS_PER_PERIOD,
  type Terms,
  type Timing,
} from './terms.ts'
