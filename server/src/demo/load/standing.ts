import type { PersonRef } from '../../access/caller.ts'
import type { Preparation } from '../../access/four-eyes.ts'
import type { LoadPerson } from './load-people.ts'
import { dayAfter, instantOf } from './load-plan.ts'

/** What moves while a contract lives, under the names of its columns. The rest stays as it began. */
export interface Standing {
  readonly state: string
  readonly version: number
  readonly preparers: readonly string[]
  readonly prepared_by: readonly Preparation[]
  readonly submitted_by: object | null
  readonly submitted_at: string | null
  readonly decider: readonly string[] | null
  readonly decisions: readonly object[]
  readonly move_reason: string | null
  readonly activator: readonly string[] | null
  readonly activated_by: object | null
  readonly activated_at: string | null
  readonly activation_date: string | null
  readonly effective_date: string | null
  readonly change_id: string | null
  readonly updated_by: PersonRef
  readonly updated_at: string
}

/** The moves of a loaded life; the same as the platform's own, as a test of both shows. */
export type LoadMove =
  | 'submit'
  | 'approve'
  | 'reject'
  | 'return'
  | 'withdraw'
  | 'reopen'
  | 'activate'
  | 'settle'
  | 'terminate'

export interface Step {
  readonly move: LoadMove
  readonly by: LoadPerson
  readonly ms: number
  readonly contentHash: string
  /** Of the approved change, where the move needs one. */
  readonly changeId: string | null
}

const REASONS: Partial<Record<LoadMove, string>> = {
  approve: 'Good standing.',
  reject: 'Exposure too high.',
  return: 'A paper is missing.',
  withdraw: 'The customer decided against it.',
  reopen: 'The offer changes.',
  settle: 'Paid off early.',
  terminate: 'The asset was returned.',
}

export function reasonOf(move: LoadMove): string {
  return REASONS[move] ?? ''
}

export const EFFECTIVE_AFTER_DAYS = 30

export function beginning(isDraft: boolean, { ref, keys }: LoadPerson, ms: number): Standing {
  const at = instantOf(ms)
  return {
    state: isDraft ? 'DRAFT' : 'PENDING_APPROVAL',
    version: 1,
    preparers: keys,
    prepared_by: [{ ...ref, at }],
    submitted_by: isDraft ? null : ref,
    submitted_at: isDraft ? null : at,
    decider: null,
    decisions: [],
    move_reason: null,
    activator: null,
    activated_by: null,
    activated_at: null,
    activation_date: null,
    effective_date: null,
    change_id: null,
    updated_by: ref,
    updated_at: at,
  }
}

/** What contracts/move-store.ts does to a row, done to a value. */
export function moved(before: Standing, step: Step): Standing {
  const at = instantOf(step.ms)
  const touched = {
    ...before,
    version: before.version + 1,
    move_reason: REASONS[step.move] ?? null,
    updated_by: step.by.ref,
    updated_at: at,
  }
  switch (step.move) {
    case 'submit':
      return { ...touched, state: 'PENDING_APPROVAL', ...submission(before, step.by, at) }
    case 'approve':
      return { ...touched, state: 'APPROVED', ...decision(before, step, 'APPROVED', at) }
    case 'reject':
      return { ...touched, state: 'REJECTED', ...decision(before, step, 'REJECTED', at) }
    case 'return':
      return { ...touched, state: 'DRAFT', ...decision(before, step, 'RETURNED', at) }
    case 'withdraw':
      return { ...touched, state: 'WITHDRAWN' }
    case 'reopen':
      return { ...touched, state: 'DRAFT', decider: null }
    case 'activate':
      return { ...touched, state: 'ACTIVE', ...activation(step, at) }
    default:
      return {
        ...touched,
        state: step.move === 'settle' ? 'SETTLED' : 'TERMINATED',
        change_id: step.changeId,
        effective_date: dayAfter(step.ms, EFFECTIVE_AFTER_DAYS),
      }
  }
}

function submission(before: Standing, { ref, keys }: LoadPerson, at: string): Partial<Standing> {
  const isKnown = before.prepared_by.some(({ id }) => id === ref.id)
  return {
    submitted_by: ref,
    submitted_at: at,
    decider: null,
    preparers: isKnown ? before.preparers : [...before.preparers, ...keys],
    prepared_by: isKnown ? before.prepared_by : [...before.prepared_by, { ...ref, at }],
  }
}

function decision(before: Standing, step: Step, word: string, at: string): Partial<Standing> {
  const taken = {
    decision: word,
    by: step.by.ref,
    version: before.version,
    versionStated: true,
    contentHash: step.contentHash,
    comment: reasonOf(step.move),
    at,
  }
  return { decider: step.by.keys, decisions: [...before.decisions, taken] }
}

function activation({ by, ms }: Step, at: string): Partial<Standing> {
  return {
    activator: by.keys,
    activated_by: by.ref,
    activated_at: at,
    activation_date: dayAfter(ms, 0),
  }
}
