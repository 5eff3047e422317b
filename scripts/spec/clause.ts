/** One statement of the identity and access contract, or one place where it says "not shown". */
export interface Clause {
  readonly id: string
  readonly section: string
  readonly states: string
  readonly answer: string
}
