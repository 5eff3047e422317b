import type { PersonRef } from '../access/caller.ts'
import type { NewRequest } from './request.ts'

export interface StoredRequest {
  readonly id: string
  readonly partyId: string
  readonly partyName: string | null
  readonly kind: NewRequest['kind']
  readonly wish: Pick<NewRequest, 'address' | 'bankAccount' | 'comment'>
  readonly state: 'OPEN' | 'ACCEPTED' | 'DECLINED'
  readonly version: number
  readonly personKeys: readonly string[]
  readonly requestedBy: PersonRef
  readonly reason: string | null
  readonly changeId: string | null
  readonly changeState: 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | null
  /** What the decider of the change said, where it was rejected. */
  readonly changeComment: string | null
  readonly createdAt: string
  readonly updatedAt: string
}
