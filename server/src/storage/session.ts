/** What the database answered to one statement. */
export interface Answer {
  readonly rows: unknown[]
  /** Rows that the command names in its tag; 0 where it names none. */
  readonly count: number
  readonly command: string
}

export interface StatementText {
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * One connection. Statements run one after the other, in the order they were given; once the
 * connection is lost every further statement is refused and none is sent elsewhere.
 */
export interface Session {
  query(text: string, values: readonly unknown[]): Promise<Answer>
  /** Two statements in one round trip; the second must do no harm if the first was refused. */
  queryBoth(first: StatementText, second: StatementText): Promise<void>
  /** Several statements without parameters, e.g. a migration. */
  script(text: string): Promise<void>
  isLost(): boolean
  close(): Promise<void>
}

/** Someone with the rights of the schema's owner: migrations, roles, seeds. */
export interface Owner {
  /** First on the search path of its connection, there or not yet there. */
  readonly schema: string
  /** One connection for the whole work, nobody else's statements between. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>
  close(): Promise<void>
}
