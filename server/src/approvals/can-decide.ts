import type { Caller } from '../access/caller.ts'
import { isScoped } from '../access/scope.ts'
import type { Read } from '../storage/tx.ts'
import type { QueueItem } from './queue-item.ts'
import { decidersSeen, type SeenDecider } from './seen-store.ts'

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
    const others = (await found).filter(({ keys }) => !keys.some((key) => preparers.includes(key)))
    return {
      seen30Days: others.length,
      // Partner staff learn how many, not who.
      ...(!isScoped(caller) && {
        usernames: others.slice(0, MOST_NAMES).map(({ username }) => username),
      }),
    }
  }
}
