import { Type } from 'typebox'
import { diffOf } from '../base/diff.ts'
import { Exact, Id, Instant, Nullable, OneOf, PersonReference } from '../base/schema.ts'
import { DiffRowView } from '../changes/index.ts'
import { httpErrors } from '../http/errors.ts'
import { query } from '../http/route.ts'
import { ContractParams } from './contract.ts'
import { CONTRACT_STATES } from './states.ts'
import { contractById } from './store.ts'
import { contentOf, type StoredContract } from './stored-contract.ts'
import { contractVersions } from './version-store.ts'
import { withoutInternals } from './view.ts'

const VersionNumber = Type.Integer({ minimum: 1, maximum: 1_000_000 })

export const listVersions = query({
  id: 'listVersions',
  surface: 'operations',
  path: '/contracts/:contract_id/versions',
  summary: 'List the versions of a contract, or compare two of them (?from=&to=).',
  permission: ['contract:read', 'contract:approve'],
  params: ContractParams,
  query: Exact({ from: Type.Optional(VersionNumber), to: Type.Optional(VersionNumber) }),
  reply: Type.Object({
    contractId: Id,
    partyId: Id,
    items: Type.Array(
      Type.Object({
        version: Type.Integer(),
        state: OneOf(CONTRACT_STATES),
        contentHash: Type.String(),
        by: PersonReference,
        at: Instant,
        reason: Nullable(Type.String()),
      }),
    ),
    diff: Type.Optional(Type.Array(DiffRowView)),
  }),
  accessed: ({ contractId, partyId }) => ({ kind: 'contract', id: contractId, partyId }),

  async run({ read, caller, params, query }) {
    const contract = await contractById(read, params.contract_id)
    const versions = await contractVersions(read, contract.id)
    const shown = (version: StoredContract): object => withoutInternals(comparedOf(version), caller)
    const { from, to } = query
    return {
      contractId: contract.id,
      partyId: contract.partyId,
      items: versions.map((version) => ({
        version: version.version,
        state: version.state,
        contentHash: version.contentHash,
        by: version.updatedBy,
        at: version.updatedAt,
        reason: version.moveReason,
      })),
      ...((from !== undefined || to !== undefined) && {
        diff: diffOf(
          shown(versionIn(versions, from ?? 1, 'from')),
          shown(versionIn(versions, to ?? contract.version, 'to')),
        ),
      }),
    }
  },
})

function versionIn(
  versions: readonly StoredContract[],
  number: number,
  name: string,
): StoredContract {
  const found = versions.find(({ version }) => version === number)
  if (found !== undefined) return found
  const detail = `The contract has no version ${number}.`
  throw httpErrors.VALIDATION_FAILED(detail, {
    errors: [{ pointer: `/query/${name}`, code: 'UNKNOWN', detail }],
  })
}

function comparedOf(version: StoredContract): ReturnType<typeof contentOf> {
  return { ...contentOf(version), ...version.plan, state: version.state } as ReturnType<
    typeof contentOf
  >
}
