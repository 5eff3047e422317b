import type { Caller, Mode } from '../access/caller.ts'
import { newId } from '../base/ids.ts'
import {
  type ContractContent,
  contractsOf,
  decide,
  insertContract,
  prepareContent,
} from '../contracts/index.ts'
import { insertParty } from '../parties/index.ts'
import { insertPartner, partnerForContract } from '../partners/index.ts'
import { type AuditActor, recordAudit } from '../storage/audit.ts'
import { recordEvent } from '../storage/outbox.ts'
import type { Db, Tx } from '../storage/tx.ts'
import { DEMO_IDS, demoPerson } from './people.ts'
import { DEMO_CONTRACTS, DEMO_DEALER, DEMO_PARTIES, type DemoContract } from './story.ts'

/** Tells the demo story once; a database that knows it already is left alone. True: it was told now. */
export async function seedDemo(db: Db, mode: Mode, today: string): Promise<boolean> {
  const preparer = demoPerson('preparer', mode)
  const isTold = await db.read({ rows: 'ALL' }, (read) => partnerForContract(read, DEMO_IDS.dealer))
  if (isTold) return false
  await actingAs(db, preparer, async (tx) => {
    const dealer = await insertPartner(tx, DEMO_DEALER, preparer, DEMO_IDS.dealer)
    await noted(tx, preparer, 'partner.created', dealer)
    for (const { id, ...party } of DEMO_PARTIES) {
      const stored = await insertParty(tx, party, preparer, id)
      await noted(tx, preparer, 'party.created', stored)
    }
  })
  for (const contract of DEMO_CONTRACTS) await seedContract(db, contract, mode, today)
  return true
}

/** A contract of the story that still waits, for the commands that a newcomer pastes. */
export async function waitingContractOf(db: Db, preparedBy: string): Promise<string | undefined> {
  const [first] = await db.read({ rows: 'ALL' }, (read) =>
    contractsOf(
      read,
      demoPerson('auditor', 'developer'),
      { states: ['PENDING_APPROVAL'], preparedBy },
      { key: 'createdAt', descending: false },
      { limit: 1, after: undefined, cursorAfter: () => '' },
    ),
  )
  return first?.id
}

async function seedContract(db: Db, told: DemoContract, mode: Mode, today: string): Promise<void> {
  const preparer = demoPerson(told.preparedBy, mode)
  const stored = await actingAs(db, preparer, async (tx) => {
    const prepared = await prepareContent(tx, contentOf(told, today))
    const contract = await insertContract(tx, {
      prepared,
      caller: preparer,
      submitted: told.draft !== true,
      year: today.slice(0, 4),
    })
    await noted(tx, preparer, told.draft ? 'contract.created' : 'contract.submitted', contract)
    return contract
  })
  const { decided } = told
  if (decided === undefined) return
  const decider = demoPerson(decided.by, mode)
  await actingAs(db, decider, async (tx) => {
    const after = await decide(tx, stored, {
      move: decided.move,
      caller: decider,
      versionStated: true,
      comment: decided.comment,
    })
    await noted(tx, decider, `contract.${decided.event}`, after)
  })
}

function contentOf(told: DemoContract, today: string): ContractContent {
  const { terms } = told.content
  return { ...told.content, terms: { ...terms, firstDueDate: firstOfNextMonth(today) } }
}

function firstOfNextMonth(today: string): string {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))]
  const [nextYear, nextMonth] = month === 12 ? [year + 1, 1] : [year, month + 1]
  return `${nextYear}-${String(nextMonth).padStart(2, '0')}-01`
}

function actingAs<T>(db: Db, caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.write({ rows: 'ALL', subject: caller.subject }, work)
}

/** Seeded rows have their audit entry and event like any other. */
async function noted(
  tx: Tx,
  caller: Caller,
  name: string,
  { id, version }: { id: string; version: number },
): Promise<void> {
  const actor: AuditActor = {
    subject: caller.subject,
    username: caller.username,
    mode: 'system',
    requestId: newId('aud'),
  }
  const item = { kind: name.split('.', 1)[0] as string, id, version }
  await recordAudit(tx, actor, { action: name, item })
  await recordEvent(tx, { type: name, item, requestId: actor.requestId })
}
