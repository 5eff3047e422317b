import { quotedName } from '../src/storage/quoting.ts'
import type { TestStore } from './stores.ts'
import { withoutPolicies } from './table-digest.ts'

/** Every row of every table as text, whoever it belongs to: to look for what must be nowhere. */
export async function tableTexts(store: TestStore): Promise<ReadonlyMap<string, string>> {
  return withoutPolicies(store, async (session) => {
    const { rows } = await session.query(
      `select table_name as name from information_schema.tables
        where table_schema = $1 and table_type = 'BASE TABLE' order by 1`,
      [store.schema],
    )
    const texts = new Map<string, string>()
    for (const { name } of rows as { name: string }[]) {
      const table = `${quotedName(store.schema)}.${quotedName(name)}`
      const answer = await session.query(
        `select coalesce(string_agg(t::text, e'\\n'), '') as text from ${table} t`,
        [],
      )
      texts.set(name, (answer.rows[0] as { text: string }).text)
    }
    return texts
  })
}

/** `table: word` for each of the words that some table holds. */
export async function foundIn(store: TestStore, words: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const [table, text] of await tableTexts(store))
    for (const word of words) if (text.includes(word)) found.push(`${table}: ${word}`)
  return found
}
