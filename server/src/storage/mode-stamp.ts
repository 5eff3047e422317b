import { sql } from './sql.ts'
import type { Tx } from './tx.ts'

export type ServedMode = 'token' | 'developer'

const WAY_OUT: Readonly<Record<ServedMode, string>> = {
  token: 'set OIDC_ISSUER',
  developer: 'unset OIDC_ISSUER',
}

/**
 * Platform contract, section 1: each database keeps the mode it began in. What anyone could write
 * under developer headers must never be served as if an identity provider had vouched for it.
 */
export async function requireMode(tx: Tx, mode: ServedMode): Promise<void> {
  await tx.run(sql`
    insert into deployment (name, value) values ('mode', ${mode}) on conflict (name) do nothing`)
  const { value } = await tx.one<{ value: ServedMode }>(sql`
    select value from deployment where name = 'mode'`)
  if (value !== mode) {
    throw new Error(
      `This database was first served in ${value} mode and cannot be served in ${mode} mode: ` +
        `${WAY_OUT[value]}, or choose another database by DATABASE_URL or TFS_DATA_DIR.`,
    )
  }
}
