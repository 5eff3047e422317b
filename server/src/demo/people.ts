import type { Caller, Mode } from '../access/caller.ts'

/** Fixed ids, so that accounts of any provider can be linked to them beforehand. */
export const DEMO_IDS = {
  customer: 'pty_demo_customer',
  customer2: 'pty_demo_customer2',
  dealer: 'ptn_demo_dealer',
} as const

/**
 * Who acts in the story, and which demo user each of them works like. Colleagues have no account:
 * they are there so that work comes from several people.
 */
export const STORY_PEOPLE = {
  preparer: 'preparer',
  approver: 'approver',
  chief: 'chief',
  dealer: 'dealer',
  customer: 'customer',
  customer2: 'customer2',
  ines: 'preparer',
  jonas: 'preparer',
  mara: 'approver',
} as const
export type StoryPerson = keyof typeof STORY_PEOPLE

/** Someone of the demo story. Four-eyes knows people by name too, so the real sign-in is the same person. */
export function demoPerson(username: string, mode: Mode): Caller {
  return {
    subject: mode === 'developer' ? `dev:${username}` : `tfs:demo#${username}`,
    username,
    human: true,
    permissions: new Set(),
    mode,
  }
}

const LINKS: Partial<Record<StoryPerson, Pick<Caller, 'partyId' | 'partnerId'>>> = {
  dealer: { partnerId: DEMO_IDS.dealer },
  customer: { partyId: DEMO_IDS.customer },
  customer2: { partyId: DEMO_IDS.customer2 },
}

/** The same, linked as the account is: partner staff and customers work inside their own rows. */
export function storyCaller(person: StoryPerson, mode: Mode): Caller {
  return { ...demoPerson(person, mode), ...LINKS[person] }
}
