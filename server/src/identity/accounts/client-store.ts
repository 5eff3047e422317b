import { sql } from '../../storage/sql.ts'
import type { Read, Tx } from '../../storage/tx.ts'
import type { PartnerClient } from './account.ts'

export interface PartnerClientWithSecret extends PartnerClient {
  readonly secretSha256: string
}

export function partnerClientById(
  read: Read,
  id: string,
): Promise<PartnerClientWithSecret | undefined> {
  return read.maybeOne<PartnerClientWithSecret>(sql`
    select c.id, c.state, c.partner_id as "partnerId", c.secret_sha256 as "secretSha256",
           array(select p.code from oauth_client_permission p
                  where p.client_id = c.id order by p.code) as permissions
      from oauth_client c
     where c.id = ${id}`)
}

export function allPartnerClients(read: Read): Promise<PartnerClient[]> {
  return read.rows<PartnerClient>(sql`
    select c.id, c.state, c.partner_id as "partnerId",
           array(select p.code from oauth_client_permission p
                  where p.client_id = c.id order by p.code) as permissions
      from oauth_client c
     order by c.id`)
}

export interface NewPartnerClient {
  readonly id: string
  readonly secretSha256: string
  readonly partnerId: string
  readonly permissions: readonly string[]
}

export async function insertPartnerClient(tx: Tx, client: NewPartnerClient): Promise<void> {
  await tx.run(sql`
    insert into oauth_client (id, secret_sha256, partner_id)
    values (${client.id}, ${client.secretSha256}, ${client.partnerId})`)
  await tx.run(sql`
    insert into oauth_client_permission (client_id, code)
    select ${client.id}, code from unnest(${client.permissions}::text[]) as given (code)`)
}

export async function updateClientSecret(tx: Tx, id: string, secretSha256: string): Promise<void> {
  await tx.run(sql`update oauth_client set secret_sha256 = ${secretSha256} where id = ${id}`)
}

export async function updateClientState(
  tx: Tx,
  id: string,
  state: PartnerClient['state'],
): Promise<void> {
  await tx.run(sql`update oauth_client set state = ${state} where id = ${id}`)
}
