import { describe, expect, test } from 'vitest'
import { eachStore } from '../../test/stores.ts'
import { joined, nothing, Statement, sql } from './sql.ts'

describe('the sql tag', () => {
  test('values stand apart from the text', () => {
    const id = "x'; drop table contract; --"
    const statement = sql`select 1 where id = ${id} and n > ${7}`
    expect(statement).toEqual(new Statement('select 1 where id = $1 and n > $2', [id, 7]))
  })

  test('the same template gives the same text, so that prepared statements are found again', () => {
    const made = (id: string) => sql`select 1 where id = ${id}`
    expect(made('a').text).toBe(made('b').text)
  })

  test('nested statements are woven in, and parameters are numbered anew', () => {
    const inner = sql`a = ${1} and b = ${2}`
    const statement = sql`select ${0} where (${inner}) or (${inner}) and c = ${3}`
    expect(statement.text).toBe(
      'select $1 where (a = $2 and b = $3) or (a = $4 and b = $5) and c = $6',
    )
    expect(statement.values).toEqual([0, 1, 2, 1, 2, 3])
    const deep = sql`x ${sql`y ${sql`z ${'z'}`} ${'y'}`} ${'x'}`
    expect(deep).toEqual(new Statement('x y z $1 $2 $3', ['z', 'y', 'x']))
  })

  test('more than nine parameters keep their numbers', () => {
    const many = joined(
      Array.from({ length: 12 }, (_, n) => sql`${n}`),
      ', ',
    )
    const statement = sql`select ${'first'}, ${many}`
    expect(statement.text).toBe(
      `select ${Array.from({ length: 13 }, (_, n) => `$${n + 1}`).join(', ')}`,
    )
    expect(statement.values).toEqual(['first', ...Array.from({ length: 12 }, (_, n) => n)])
  })

  test('nothing is nothing, and joining nothing too', () => {
    expect(sql`select 1 ${nothing}`).toEqual(new Statement('select 1 ', []))
    expect(joined([], ' and ')).toEqual(new Statement('', []))
    expect(joined([sql`a = ${1}`, nothing, sql`b`], ' and ').text).toBe('a = $1 and  and b')
  })

  test('null, lists and objects are parameters like any other', () => {
    expect(sql`${null} ${[1]} ${{ a: 1 }}`.values).toEqual([null, [1], { a: 1 }])
  })
})

eachStore(
  (store) => {
    test('what is given comes back, whatever it looks like', async () => {
      const texts = [
        "'",
        '"',
        '\\',
        '$1',
        '--',
        '; drop table x',
        '{a,"b"}',
        '😀',
        '\n',
        '',
        'null',
        'NULL',
      ]
      const row = await store.db.read({ rows: 'NONE' }, (read) =>
        read.one<{ texts: string[]; json: unknown; text: string }>(sql`
          select ${texts}::text[] as texts, ${{ texts }}::jsonb as json, ${texts.join('|')}::text as text`),
      )
      expect(row).toEqual({ texts, json: { texts }, text: texts.join('|') })
    })
  },
  { migrations: false },
)
