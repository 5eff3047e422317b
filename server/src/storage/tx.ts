import type { Scope } from './scope.ts'
import type { Statement } from './sql.ts'

/** Reads under a row-level context. A row type is what the select list gives, camelCase by `as`. */
export interface Read {
  rows<Row>(statement: Statement): Promise<Row[]>
  maybeOne<Row>(statement: Statement): Promise<Row | undefined>
  /** Exactly one row, or a fault of the program. */
  one<Row>(statement: Statement): Promise<Row>
}

/** A transaction: the first parameter of everything that writes. */
export interface Tx extends Read {
  /** Affected rows. */
  run(statement: Statement): Promise<number>
  /** Work that may be taken back without losing the transaction. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

export interface PoolState {
  readonly size: number
  readonly busy: number
  readonly waiting: number
}

export interface Db {
  readonly kind: 'embedded' | 'postgres'
  /** Each statement carries its own context and is its own snapshot: one round trip. */
  read<T>(scope: Scope, work: (read: Read) => Promise<T>): Promise<T>
  /** Several statements over one snapshot, read-only. */
  snapshot<T>(scope: Scope, work: (read: Read) => Promise<T>): Promise<T>
  /** One transaction; commits when the work resolves, rolls back when it throws. */
  write<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T>
  pool(): PoolState
  close(): Promise<void>
}
