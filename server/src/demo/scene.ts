import type { ContractContent } from '../contracts/index.ts'
import type { NewParty } from '../parties/index.ts'
import type { StoryPerson } from './people.ts'

/** When and by whom: working days before the last day of the story, and the time of day in UTC. */
export type Moment = readonly [day: number, at: string, by: StoryPerson]

export interface StoryPartner {
  readonly id: string
  readonly partner: {
    readonly code: string
    readonly name: string
    readonly kind: 'DEALER' | 'BROKER' | 'VENDOR'
  }
}

export interface StoryParty {
  readonly id: string
  readonly party: NewParty
}

/** A contract as it is first written; its first due date follows from the day. */
export interface StoryContract {
  readonly key: string
  readonly content: Omit<ContractContent, 'terms'> & {
    readonly terms: Omit<ContractContent['terms'], 'firstDueDate'>
  }
}

/**
 * What happens in a scene. Everything but the beginnings of parties and partners, whose ids are fixed,
 * is an operation of the API, by its id; `of` names the item by its id, or by the key of the story.
 */
export type Deed =
  | { readonly does: 'enterPartner'; readonly of: StoryPartner }
  | { readonly does: 'enterParty'; readonly of: StoryParty }
  | { readonly does: 'createContract'; readonly of: StoryContract; readonly draft: boolean }
  | { readonly does: Operation; readonly of: string; readonly body?: BodyOf }

/** Most bodies are fixed; some name a date that follows from the day of the scene. */
export type BodyOf = object | ((day: string) => object)

export type Operation =
  | 'editContract'
  | 'submitContract'
  | 'approveContract'
  | 'rejectContract'
  | 'returnContract'
  | 'withdrawContract'
  | 'reopenContract'
  | 'activateContract'
  | 'settleContract'
  | 'terminateContract'
  | 'amendContract'
  | 'approveContractChange'
  | 'rejectContractChange'
  | 'addNote'
  | 'editParty'
  | 'blockParty'
  | 'approvePartyChange'
  | 'rejectPartyChange'
  | 'editPartner'
  | 'suspendPartner'
  | 'approvePartnerChange'
  | 'askChange'
  | 'acceptRequest'

export interface Scene {
  readonly when: Moment
  readonly deed: Deed
}

/** Oldest first: what happens in a story happens in the order of its days. */
export function inOrderOfTime(scenes: readonly Scene[]): readonly Scene[] {
  return [...scenes].sort(
    ({ when: [day, at] }, { when: [otherDay, otherAt] }) =>
      otherDay - day || (at < otherAt ? -1 : at > otherAt ? 1 : 0),
  )
}
