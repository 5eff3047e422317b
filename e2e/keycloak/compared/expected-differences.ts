import { discoveryDifferences } from './discovery-differences.ts'
import { tokenDifferences } from './token-differences.ts'

/** Where the embedded provider answers otherwise than Keycloak with our demo realm, and why. */
export interface ExpectedDifference {
  /** JSON pointers into the recordings; `*` stands for any one name. */
  readonly pointers: readonly string[]
  /** What the embedded provider says there; left out: nothing. */
  readonly embedded?: unknown
  readonly reason: string
}

/** Complete: the comparison test fails on a difference that is not listed and on one that is gone. */
export const expectedDifferences: readonly ExpectedDifference[] = [
  ...discoveryDifferences,
  ...tokenDifferences,
]
