import { canonicalJson } from '../../base/canonical-json.ts'
import { diffOf } from '../../base/diff.ts'
import { sha256Hex } from '../../base/digest.ts'
import type { TableRow } from './load-party.ts'
import { type LoadPerson, loadDeciders } from './load-people.ts'
import { dayAfter, instantOf } from './load-plan.ts'
import { EFFECTIVE_AFTER_DAYS, reasonOf, type Standing } from './standing.ts'

interface Proposed {
  readonly id: string
  readonly base: TableRow
  readonly versions: readonly Standing[]
  readonly preparer: LoadPerson
}

const PROPOSED_EARLIER_MS = 3_600_000

/** The change that ended a contract, or one that waits to end it. */
export function loadChangeOf({ id, base, versions, preparer }: Proposed): TableRow {
  const last = versions.at(-1) as Standing
  const isPending = last.state === 'ACTIVE'
  const active = versions.find(({ state }) => state === 'ACTIVE') as Standing
  const move = last.state === 'SETTLED' ? 'settle' : 'terminate'
  const state = move === 'settle' ? 'SETTLED' : 'TERMINATED'
  const [activeMs, lastMs] = [Date.parse(active.updated_at), Date.parse(last.updated_at)]
  const proposedMs = isPending ? activeMs : Math.max(activeMs, lastMs - PROPOSED_EARLIER_MS)
  const effectiveDate = last.effective_date ?? dayAfter(proposedMs, EFFECTIVE_AFTER_DAYS)
  const kind = move === 'settle' ? 'SETTLEMENT' : 'TERMINATION'
  const proposal = { effectiveDate }
  const baseVersion = active.version
  const hashed = canonicalJson({ kind, itemId: base.id, baseVersion, proposal })
  const change = {
    ...{ id, kind, item_kind: 'contract', item_id: base.id },
    ...{ state: 'PENDING', version: 1, base_version: baseVersion },
    ...{ reason: reasonOf(move), proposal },
    diff: diffOf({ state: 'ACTIVE' }, { state, effectiveDate }),
    content_hash: sha256Hex(hashed),
    party_id: base['party_id'],
    partner_id: base['partner_id'],
    preparers: preparer.keys,
    prepared_by: [{ ...preparer.ref, at: instantOf(proposedMs) }],
    decisions: [],
    created_by: preparer.ref,
    created_at: instantOf(proposedMs),
    updated_by: preparer.ref,
    updated_at: instantOf(proposedMs),
  }
  return isPending ? change : { ...change, ...approvalOf(change, last) }
}

function approvalOf(change: { readonly content_hash: string }, last: Standing): object {
  const by = last.updated_by
  const decider = loadDeciders.find(({ ref }) => ref.id === by.id) as LoadPerson
  const decision = {
    decision: 'APPROVED',
    by,
    version: 1,
    versionStated: true,
    contentHash: change.content_hash,
    at: last.updated_at,
  }
  return {
    state: 'APPROVED',
    version: 2,
    decider: decider.keys,
    decisions: [decision],
    updated_by: by,
    updated_at: last.updated_at,
  }
}
