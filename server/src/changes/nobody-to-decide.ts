import type { PermissionCode } from '../access/permissions.ts'
import type { Warning } from '../http/route.ts'
import type { Read } from '../storage/tx.ts'
import { decidersSeen, othersAmong, SEEN_DAYS } from './seen-store.ts'

/** Told when something is submitted: better now than after days of waiting. */
export async function nobodyToDecide(
  read: Read,
  permission: PermissionCode,
  preparers: readonly string[],
): Promise<Warning[]> {
  if (othersAmong(await decidersSeen(read, permission), preparers).length > 0) return []
  return [
    {
      code: 'NOBODY_TO_DECIDE',
      detail: `Nobody else with ${permission} was here in the last ${SEEN_DAYS} days. Tell someone who can decide.`,
    },
  ]
}
