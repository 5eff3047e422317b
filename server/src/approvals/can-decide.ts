import type { Caller } from '../access/caller.ts'
import { isScoped } from '../access/scope.ts'
import { decidersSeen, othersAmong, type SeenDecider } from '../changes/index.ts'
import type { Read } from '../storage/tx.ts'
import type { QueueItem } from './queue-item.ts'

const MOST_NAMES = 10

/** Who could decide, as far as they were seen; looked up once per permission and answer. */
export function canDecideOf(read: Read, caller: Caller) {
  const seen = new Map<string, Promise<SeenDecider[]>>()
  return async (
    permission: string,
    preparers: readonly string[],
  ): Promise<QueueItem['canDecide']> => {
    let found = seen.get(permission)
    if (found === undefined) {
      found = decidersSeen(read, permission)
      seen.set(permission, found)
    }
    const others = othersAmong(await found, preparers)
    return {
      seen30Days: others.length,
      // Partner staff learn how many, not who.
      ...(!isScoped(caller) && {
        usernames: others.slice(0, MOST_NAMES).map(({ username }) => username),
      }),
    }
  }
}
