import type { ContractContent } from '../contracts/index.ts'
import { dueDayAfter } from './days.ts'
import type { StoryPerson } from './people.ts'
import type { BodyOf, Operation, Scene, StoryContract } from './scene.ts'

/** What is done with a contract, in the words of the story. */
export type Verb =
  | 'drafts'
  | 'prepares'
  | 'edits'
  | 'submits'
  | 'approves'
  | 'rejects'
  | 'returns'
  | 'withdraws'
  | 'reopens'
  | 'activates'
  | 'settles'
  | 'terminates'
  | 'amends'
  | 'approves the change'
  | 'rejects the change'
  | 'notes'

/** `[19, '09:05', 'mara', 'returns', 'The serial number is missing.']` */
export type Turn = readonly [
  day: number,
  at: string,
  by: StoryPerson,
  does: Verb,
  said?: string | object,
]

type Content = StoryContract['content']

export interface Life extends Pick<Content, 'type' | 'partyId' | 'terms'> {
  readonly key: string
  readonly more?: Omit<Content, 'type' | 'partyId' | 'terms'>
  readonly turns: readonly Turn[]
}

const OPERATIONS: Readonly<Record<Exclude<Verb, 'drafts' | 'prepares'>, Operation>> = {
  edits: 'editContract',
  submits: 'submitContract',
  approves: 'approveContract',
  rejects: 'rejectContract',
  returns: 'returnContract',
  withdraws: 'withdrawContract',
  reopens: 'reopenContract',
  activates: 'activateContract',
  settles: 'settleContract',
  terminates: 'terminateContract',
  amends: 'amendContract',
  'approves the change': 'approveContractChange',
  'rejects the change': 'rejectContractChange',
  notes: 'addNote',
}

export function scenesOf({ key, type, partyId, terms, more, turns }: Life): Scene[] {
  const contract = { key, content: { type, partyId, terms, ...more } }
  return turns.map(([day, at, by, does, said]): Scene => {
    const when = [day, at, by] as const
    if (does === 'drafts' || does === 'prepares') {
      const draft = does === 'drafts'
      return { when, deed: { does: 'createContract', of: contract, draft } }
    }
    const body = bodyOf(does, said)
    return { when, deed: { does: OPERATIONS[does], of: key, ...(body && { body }) } }
  })
}

function bodyOf(does: Verb, said: string | object | undefined): BodyOf | undefined {
  if (typeof said !== 'string') return said
  switch (does) {
    case 'approves':
    case 'approves the change':
      return { comment: said }
    case 'notes':
      return { text: said }
    case 'settles':
    case 'terminates':
      return (day) => ({ reason: said, effectiveDate: dueDayAfter(day, 1) })
    default:
      return { reason: said }
  }
}

export const eur = (amount: string): { amount: string; currency: string } => ({
  amount,
  currency: 'EUR',
})

export function terms(
  financed: string,
  nominalRate: string,
  termMonths: number,
  more: Partial<Omit<ContractContent['terms'], 'firstDueDate'>> = {},
): Content['terms'] {
  return { financedAmount: eur(financed), nominalRate, termMonths, ...more }
}
