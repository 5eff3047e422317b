import type { Caller, Mode } from '../access/caller.ts'

/** Fixed ids, so that accounts of any provider can be linked to them beforehand. */
export const DEMO_IDS = {
  customer: 'pty_demo_customer',
  customer2: 'pty_demo_customer2',
  dealer: 'ptn_demo_dealer',
} as const

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
