import type { Caller } from '../access/caller.ts'
import type { Calendar } from '../base/calendar.ts'
import { diffOf } from '../base/diff.ts'
import type { Problem } from '../base/errors.ts'
import { recordAudit } from '../storage/audit.ts'
import { recordEvent } from '../storage/outbox.ts'
import type { Tx } from '../storage/tx.ts'
import { requireAction } from './action.ts'
import { auditActorOf } from './audit-actor.ts'
import { httpErrors } from './errors.ts'
import { requireVersion, type StatedVersions } from './etag.ts'
import { type IdempotencyRequest, keep, replayOf } from './idempotency.ts'
import type { Input } from './input.ts'
import { isAudited } from './refusals.ts'
import { type Answer, answerOf } from './reply.ts'
import type { ChangeFact, OtherCommand, Outcome, RefusedItem, Route } from './route.ts'

export interface CommandWork extends Input {
  readonly route: Route
  readonly caller: Caller
  readonly calendar: Calendar
  readonly serialize: (reply: unknown) => string
  readonly dryRun: boolean
  /** Versions that If-Match allows; undefined when it was not sent. */
  readonly stated: StatedVersions | undefined
  readonly requestId: string
  readonly remoteAddress: string
  readonly idempotency: IdempotencyRequest | undefined
}

/** Carries the answer of a dry run out of a transaction that must not commit. */
export class DryRunFinished extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super('dry run finished')
    this.answer = answer
  }
}

/** Order of checks 8 to 13 and the work itself, in one transaction. What can change is checked here. */
export async function runCommand(tx: Tx, work: CommandWork): Promise<Answer> {
  const { idempotency } = work
  const replayed = idempotency && (await replayOf(tx, idempotency))
  if (replayed) return replayed

  const outcome = await perform(tx, work)
  if (work.dryRun) throw new DryRunFinished(dryRunAnswer(work, outcome))
  const answer = answerFor(work, outcome)
  if (idempotency) await keep(tx, idempotency, answer)
  return answer
}

/** One command under its own guards, with its own record. */
async function perform(tx: Tx, work: CommandWork): Promise<Outcome<unknown>> {
  const { route, caller } = work
  const subject = await route.load?.(tx, work.params)
  if (route.action) requireAction(route.action, subject, caller)
  const versionStated = versionStatedIn(work, subject)
  const outcome = (await route.run({
    tx,
    caller,
    calendar: work.calendar,
    params: work.params,
    query: work.query,
    body: work.body,
    subject,
    versionStated,
    runOther: async ({ route: other, params, body, version }: OtherCommand) => {
      await perform(tx, { ...work, route: other, params, body, query: {}, stated: [version] })
    },
    noteRefusal: async (problem: Problem, refused: RefusedItem) => {
      if (!isAudited(problem)) return
      const actor = auditActorOf(caller, work.requestId, work.remoteAddress)
      await recordAudit(tx, actor, { ...refused, refusedWith: problem.code })
    },
  })) as Outcome<unknown>
  await record(tx, work, outcome)
  return outcome
}

/** Order of checks 12. If-Match is honoured on every command that has an item. */
function versionStatedIn({ stated, route }: CommandWork, subject: unknown): number | undefined {
  if (stated === undefined && route.versionRequired) {
    throw httpErrors.VERSION_REQUIRED(
      'Send If-Match with the ETag that you read, so that nobody’s change is overwritten.',
    )
  }
  const version = (subject as { version?: number } | undefined)?.version
  return version === undefined ? undefined : requireVersion(stated, version)
}

async function record(tx: Tx, work: CommandWork, outcome: Outcome<unknown>): Promise<void> {
  const own = outcome.event === null ? [] : [outcome.event]
  for (const event of [...own, ...(outcome.also ?? [])]) await recordFact(tx, work, event)
}

async function recordFact(tx: Tx, work: CommandWork, event: ChangeFact): Promise<void> {
  // An item may have a kind of its own: what it is an item of is said by the event.
  const { id, version } = event.item
  const item = { kind: event.name.split('.', 1)[0] as string, id, version }
  await recordAudit(tx, auditActorOf(work.caller, work.requestId, work.remoteAddress), {
    action: event.name,
    item,
    diff: diffOf(event.before, event.after),
    personal: event.personal,
  })
  await recordEvent(tx, { type: event.name, item, requestId: work.requestId })
}

function answerFor({ route, serialize }: CommandWork, outcome: Outcome<unknown>): Answer {
  const reply = outcome.warnings
    ? { ...(outcome.reply as object), warnings: outcome.warnings }
    : outcome.reply
  const answer = answerOf(outcome.status ?? route.status, reply, serialize(reply))
  if (outcome.location === undefined) return answer
  return { ...answer, headers: { ...answer.headers, location: outcome.location } }
}

/** Written by the same schema as the real answer: what is not declared cannot leak here either. */
function dryRunAnswer({ serialize }: CommandWork, outcome: Outcome<unknown>): Answer {
  const { reply, event, warnings = [] } = outcome
  const diff = JSON.stringify(diffOf(event?.before, event?.after))
  const body = `{"dryRun":true,"result":${serialize(reply)},"diff":${diff},"warnings":${JSON.stringify(warnings)}}`
  return { status: 200, headers: { 'cache-control': 'no-store', vary: 'Authorization' }, body }
}
