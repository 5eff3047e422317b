import { sql } from '../storage/sql.ts'
import type { Tx } from '../storage/tx.ts'

/**
 * Changes and wishes of an erased party keep their story and lose every value. Run it once the party is
 * ERASED, in the same transaction: the database refuses it before.
 */
export async function forgetWhatWasSaid(tx: Tx, partyId: string): Promise<void> {
  await tx.run(sql`
    update change
       set proposal = '{}',
           diff = (select coalesce(jsonb_agg(jsonb_build_object(
                            'pointer', told -> 'pointer', 'before', null, 'after', null)), '[]')
                     from jsonb_array_elements(diff) told)
     where item_kind = 'party' and item_id = ${partyId} and kind = 'PARTY'`)
  await tx.run(sql`update request set wish = '{}' where party_id = ${partyId}`)
}
