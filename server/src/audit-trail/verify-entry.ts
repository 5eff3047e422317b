import { ACCESS_BATCH_ACTION, accessDigestOf, DIGEST_POINTER } from './access-row.ts'
import type { ExportEntry } from './export-line.ts'
import { type AuditRecord, hiddenHashOf, isHidden } from './record.ts'

/** What is wrong with what an entry brings along beside the chain; undefined when all of it fits. */
export function attachmentFault(line: ExportEntry, entry: AuditRecord): string | undefined {
  return personalFault(line, entry) ?? accessFault(line, entry)
}

/** A personal value stands in the entry as a salted hash; an erased one is simply not there. */
function personalFault({ personal = [] }: ExportEntry, entry: AuditRecord): string | undefined {
  for (const { pointer, side, salt, value } of personal) {
    const hidden = entry.diff.find((row) => row.pointer === pointer)?.[side]
    if (!isHidden(hidden) || hidden.sha256 !== hiddenHashOf(salt, value)) {
      return `the personal value ${pointer} (${side}) is not the one that was recorded`
    }
  }
  return undefined
}

function accessFault({ accesses }: ExportEntry, entry: AuditRecord): string | undefined {
  if (accesses === undefined) return undefined
  const recorded = entry.diff.find(({ pointer }) => pointer === DIGEST_POINTER)?.after
  return entry.action === ACCESS_BATCH_ACTION && recorded === accessDigestOf(accesses)
    ? undefined
    : 'its part of the access log is not the one that was recorded'
}
