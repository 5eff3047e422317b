import { beforeAll, expect, test } from 'vitest'
import { eachStore } from '../../test/stores.ts'
import { SqlFault } from './failures.ts'
import { Statement, sql } from './sql.ts'
import type { Db } from './tx.ts'

const ALL = { rows: 'ALL' } as const

async function answered(db: Db, statement: Statement): Promise<unknown> {
  const inTransaction = await db.write(ALL, (tx) => tx.one<{ value: unknown }>(statement))
  const alone = await db.read(ALL, (read) => read.one<{ value: unknown }>(statement))
  expect(alone).toEqual(inTransaction)
  return alone.value
}

eachStore(
  (store) => {
    beforeAll(() =>
      store.owner(`
        create table kept (
          id text primary key, json_value jsonb, plain_json json, texts text[], flag boolean,
          whole integer, large bigint, exact numeric(20, 4), day date, at timestamptz(3),
          numbers integer[]);
        grant select, insert, update on kept to "${store.appRole}"`),
    )

    test.each([
      ['a bigint is a number', sql`select 9007199254740991::bigint as value`, 9007199254740991],
      ['a count is a number', sql`select count(*) as value from kept where false`, 0],
      [
        'a numeric keeps its digits',
        sql`select 1234567890.1200::numeric as value`,
        '1234567890.1200',
      ],
      ['a date is its text', sql`select date '2026-02-28' as value`, '2026-02-28'],
      [
        'a timestamp is ISO 8601 in UTC',
        sql`select timestamptz '2026-03-01 01:02:03.5+02' as value`,
        '2026-02-28T23:02:03.500Z',
      ],
      [
        'a whole second has milliseconds too',
        sql`select timestamptz '2026-03-01 00:00:00Z' as value`,
        '2026-03-01T00:00:00.000Z',
      ],
      [
        'json is its value',
        sql`select '{"a":[1,null,"x"]}'::jsonb as value`,
        { a: [1, null, 'x'] },
      ],
      ['json null is null', sql`select 'null'::jsonb as value`, null],
      ['a double is a number', sql`select 0.1::double precision as value`, 0.1],
      ['a boolean is a boolean', sql`select 1 = 1 as value`, true],
      ['a null is null', sql`select null::text as value`, null],
      ['an empty text stays', sql`select '' as value`, ''],
      [
        'an array keeps nulls, quotes and commas',
        sql`select array['a', null, 'NULL', '', 'b,c', '"d"', 'e\\f', '{g}']::text[] as value`,
        ['a', null, 'NULL', '', 'b,c', '"d"', 'e\\f', '{g}'],
      ],
      [
        'an array of arrays nests',
        sql`select array[[1,2],[3,4]] as value`,
        [
          [1, 2],
          [3, 4],
        ],
      ],
      ['an array of bigints is numbers', sql`select array[1, 2]::bigint[] as value`, [1, 2]],
      ['an array of json is values', sql`select array['{"a":1}'::jsonb] as value`, [{ a: 1 }]],
      ['an empty array is empty', sql`select '{}'::text[] as value`, []],
    ])('%s', async (_, statement, expected) => {
      expect(await answered(store.db, statement)).toEqual(expected)
    })

    test('bytes are bytes', async () => {
      const value = await answered(store.db, sql`select '\\x00ff10'::bytea as value`)
      expect(value).toBeInstanceOf(Uint8Array)
      expect([...(value as Uint8Array)]).toEqual([0, 255, 16])
    })

    test('a bigint beyond the safe integers is a fault, and the connection goes on', async () => {
      const large = sql`select 9007199254740993::bigint as value`
      await expect(store.db.read(ALL, (read) => read.one(large))).rejects.toThrow(RangeError)
      expect(await answered(store.db, sql`select 1 as value`)).toBe(1)
    })

    test.each([
      ['a text', 'text', 'O\'Brien "x" \\ ü €'],
      ['an empty text', 'text', ''],
      ['a text for a number', 'numeric', '12345678901234.5678'],
      ['a number', 'integer', -7],
      ['a number for a bigint', 'bigint', 9007199254740991],
      ['true', 'boolean', true],
      ['false', 'boolean', false],
      ['null', 'text', null],
      ['null for json', 'jsonb', null],
      ['an object', 'jsonb', { a: { b: [1, 'x', null, false] } }],
      ['an array for json', 'jsonb', [{ a: 1 }, 'b', 3]],
      ['an empty array for json', 'jsonb', []],
      ['a text for json, which is a JSON string', 'jsonb', 'plain "text"'],
      ['a number for json', 'jsonb', 4.5],
      ['true for json', 'jsonb', true],
      ['an array that starts with true for json', 'jsonb', [true, 1]],
      ['texts', 'text[]', ['a', 'b,"c"', '\\', '', 'NULL', '{}']],
      ['texts with a null', 'text[]', ['a', null]],
      ['no texts', 'text[]', []],
      ['numbers', 'integer[]', [1, 2, 3]],
      ['booleans', 'boolean[]', [true, false]],
      ['objects for an array of json', 'jsonb[]', [{ a: '"' }, { b: [1] }]],
      ['a date', 'date', '2026-12-31'],
      ['a timestamp', 'timestamptz(3)', '2026-11-15T01:02:03.456Z'],
    ])('%s comes back as it went in', async (_, type, value) => {
      const typed = new Statement(`select $1::${type} as value`, [value])
      expect(await answered(store.db, typed)).toEqual(value)
    })

    test('bytes come back as they went in', async () => {
      const bytes = Uint8Array.from([0, 1, 127, 128, 255])
      const value = await answered(store.db, sql`select ${bytes}::bytea as value`)
      expect([...(value as Uint8Array)]).toEqual([...bytes])
    })

    test('a moment of JavaScript is a timestamp', async () => {
      const at = new Date('2026-11-15T01:02:03.456Z')
      expect(await answered(store.db, sql`select ${at}::timestamptz as value`)).toBe(
        at.toISOString(),
      )
    })

    test('columns decide the type of what is inserted, updated and compared', async () => {
      const written = {
        json_value: [true, { a: 1 }],
        plain_json: { b: 2 },
        texts: ['x', 'y'],
        flag: true,
        whole: 1,
        large: 2,
        exact: '3.1400',
        day: '2026-01-02',
        at: '2026-01-02T03:04:05.678Z',
        numbers: [4, 5],
      }
      const kept = await store.db.write(ALL, async (tx) => {
        const count = await tx.run(sql`
          insert into kept
            (id, json_value, plain_json, texts, flag, whole, large, exact, day, at, numbers)
          values
            ('k', ${written.json_value}, ${written.plain_json}, ${written.texts}, ${written.flag},
             ${written.whole}, ${written.large}, ${written.exact}, ${written.day}, ${written.at},
             ${written.numbers})`)
        expect(count).toBe(1)
        return tx.one(sql`
          select json_value, plain_json, texts, flag, whole, large, exact, day, at, numbers
            from kept
           where texts @> ${['y']} and json_value = ${written.json_value}
             and id = any(${['k', 'l']})`)
      })
      expect(kept).toEqual(written)
    })

    test('the same statement takes values of other types each time', async () => {
      const asJson = (value: unknown): Statement => sql`select ${value}::jsonb as value`
      for (const value of [true, 1, 'x', null, [false], { a: 1 }, false, 'y']) {
        expect(await answered(store.db, asJson(value))).toEqual(value)
      }
    })

    test('undefined is refused before it is sent', async () => {
      const statement = sql`select ${undefined}::text as value`
      await expect(store.db.read(ALL, (read) => read.one(statement))).rejects.toThrow(
        'Parameter $1 of the statement is undefined.',
      )
    })

    test('an object is not taken for a text', async () => {
      const statement = sql`select ${{ a: 1 }}::text as value`
      await expect(store.db.read(ALL, (read) => read.one(statement))).rejects.toThrow(TypeError)
      expect(await answered(store.db, sql`select 1 as value`)).toBe(1)
    })

    test('a refused statement names state, constraint and table, but no values', async () => {
      const insert = (): Promise<number> =>
        store.db.write(ALL, (tx) => tx.run(sql`insert into kept (id) values (${'twice'})`))
      await insert()
      const error = await insert().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(SqlFault)
      expect(error).toMatchObject({ sqlState: '23505', constraint: 'kept_pkey', table: 'kept' })
      expect(JSON.stringify({ ...(error as SqlFault) })).not.toContain('twice')
    })

    test('columns keep their order and names', async () => {
      const rows = await store.db.read(ALL, (read) =>
        read.rows<object>(sql`select 2 as b, 1 as a, 'x' as "camelCase"`),
      )
      expect(rows.map((row) => Object.keys(row))).toEqual([['b', 'a', 'camelCase']])
    })
  },
  { migrations: false },
)
