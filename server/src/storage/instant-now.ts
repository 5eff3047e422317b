import { type Statement, sql } from './sql.ts'

/** The database's clock as text, written as every instant on the wire. */
export const instantNow: Statement = sql`
  to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
