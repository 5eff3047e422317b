import type { Caller } from '../access/caller.ts'
import type { Calendar } from '../base/calendar.ts'
import { diffOf } from '../base/diff.ts'
import { requireAction } from '../http/action.ts'
import type { ChangeFact, Outcome, Route } from '../http/route.ts'
import { recordAudit } from '../storage/audit.ts'
import { recordEvent } from '../storage/outbox.ts'
import type { Tx } from '../storage/tx.ts'

/** One operation of the API, as someone of the story performs it. */
export interface Performance {
  readonly route: Route
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
  readonly calendar: Calendar
  readonly requestId: string
}

/** The operation itself under its own guards (four-eyes, state, rules), with its own record. */
export async function perform(tx: Tx, performance: Performance): Promise<readonly ChangeFact[]> {
  const { route, caller, params, body, calendar } = performance
  const subject = await route.load?.(tx, params)
  if (route.action) requireAction(route.action, subject, caller)
  const outcome = (await route.run({
    ...{ tx, caller, params, body, calendar, subject, query: {} },
    versionStated: (subject as { version?: number } | undefined)?.version,
  })) as Outcome<unknown>
  const own = outcome.event === null ? [] : [outcome.event]
  const facts = [...own, ...(outcome.also ?? [])]
  for (const fact of facts) await recordFact(tx, performance, fact)
  return facts
}

/**
 * As every change is recorded, but for the mode: nobody signed in, the program told a story. Whoever
 * reads the trail can tell the two apart.
 */
export async function recordFact(
  tx: Tx,
  { caller, requestId }: Pick<Performance, 'caller' | 'requestId'>,
  fact: ChangeFact,
): Promise<void> {
  const { subject, username } = caller
  // An item may have a kind of its own, which is another matter.
  const { id, version } = fact.item
  const item = { kind: fact.name.split('.', 1)[0] as string, id, version }
  await recordAudit(
    tx,
    { subject, username, mode: 'system', requestId },
    { action: fact.name, item, diff: diffOf(fact.before, fact.after), personal: fact.personal },
  )
  await recordEvent(tx, { type: fact.name, item, requestId })
}
