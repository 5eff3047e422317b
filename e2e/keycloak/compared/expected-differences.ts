export interface ExpectedDifference {
  /** JSON pointers into the recordings; `*` stands for any one name. */
  readonly pointers: readonly string[]
  /** What the embedded provider says there; left out: nothing. */
  readonly embedded?: unknown
  readonly reason: string
}

export const expectedDifferences: readonly ExpectedDifference[] = []
