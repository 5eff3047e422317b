import { setImmediate as turn } from 'node:timers/promises'
import { type messages, type PGlite, protocol } from '@electric-sql/pglite'
import { failureOf } from './failures.ts'
import { inOrder } from './in-order.ts'
import type { Answer, Session } from './session.ts'
import { parsers, requireDefinedValues, writePlain, writers } from './wire-types.ts'

/** Statements that the connection knows by name; planning each anew costs five times as much. */
export interface PreparedStatements {
  /** Planned for a schema and a role, so each view of the store has its own. */
  find(view: string, text: string): Promise<PreparedStatement>
  /** After the owner's work: tables may have other columns now. */
  forget(): Promise<void>
}

interface PreparedStatement {
  readonly name: string
  readonly parameterTypes: readonly number[]
  readonly columns: readonly Column[]
}

interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

/** Texts come from templates, so there are few; the bound only keeps a mistake from growing. */
const MAX_STATEMENTS = 2_000
const { serialize } = protocol

type Message = messages.BackendMessage

function send(pglite: PGlite, ...parts: Uint8Array[]): Promise<Message[]> {
  // Nothing to sync: the files are the operating system's, or in memory.
  return pglite.execProtocolStream(Buffer.concat([...parts, serialize.sync()]), { syncToFs: false })
}

function messageOf<M extends Message>(
  all: readonly Message[],
  name: Message['name'],
): M | undefined {
  return all.find((message) => message.name === name) as M | undefined
}

export function preparedStatements(pglite: PGlite): PreparedStatements {
  const views = new Map<string, Map<string, PreparedStatement>>()
  let made = 0
  let kept = 0

  async function forget(): Promise<void> {
    views.clear()
    kept = 0
    await pglite.exec('deallocate all')
  }

  return {
    forget,
    async find(view, text) {
      const found = views.get(view)?.get(text)
      if (found !== undefined) return found
      if (kept >= MAX_STATEMENTS) await forget()
      const name = `s${++made}`
      const answer = await send(
        pglite,
        serialize.parse({ name, text }),
        serialize.describe({ type: 'S', name }),
      )
      const statement = { name, ...descriptionOf(answer) }
      const known = views.get(view) ?? new Map<string, PreparedStatement>()
      views.set(view, known.set(text, statement))
      kept++
      return statement
    },
  }
}

function descriptionOf(answer: readonly Message[]): Omit<PreparedStatement, 'name'> {
  const types = messageOf<messages.ParameterDescriptionMessage>(answer, 'parameterDescription')
  const fields = messageOf<messages.RowDescriptionMessage>(answer, 'rowDescription')?.fields ?? []
  return {
    parameterTypes: types?.dataTypeIDs ?? [],
    columns: fields.map(({ name, dataTypeID }) => ({ name, parse: parsers[dataTypeID] ?? asIs })),
  }
}

const asIs = (text: string): string => text

export function embeddedSession(
  pglite: PGlite,
  statements: PreparedStatements,
  view: string,
): Session {
  const ordered = inOrder()

  async function execute(text: string, values: readonly unknown[]): Promise<Answer> {
    await letOthersRun()
    const statement = await statements.find(view, text)
    const answer = await send(
      pglite,
      serialize.bind({ statement: statement.name, values: parametersOf(statement, values) }),
      serialize.execute({}),
    )
    return answerOf(statement, answer)
  }

  const answered = <T>(send: () => Promise<T>): Promise<T> =>
    ordered(send).catch((error: unknown) => {
      throw failureOf(error)
    })

  return {
    async query(text, values) {
      requireDefinedValues(values)
      return answered(() => execute(text, values))
    },
    async queryBoth(...both) {
      await answered(async () => {
        for (const { text, values } of both) await execute(text, values)
      })
    },
    async script(text) {
      await answered(() => pglite.exec(text))
    },
    isLost: () => pglite.closed,
    close: () => pglite.close(),
  }
}

/** PGlite answers within the microtasks: a long line of work would stop timers and sockets. */
const MAX_STALL_MS = 10
let lastTurn = 0

async function letOthersRun(): Promise<void> {
  if (performance.now() - lastTurn < MAX_STALL_MS) return
  await turn()
  lastTurn = performance.now()
}

function parametersOf(
  { parameterTypes }: PreparedStatement,
  values: readonly unknown[],
): (string | null)[] {
  return values.map((value, index) => {
    const write = writers[parameterTypes[index] as number] ?? writePlain
    return value === null ? null : write(value)
  })
}

function answerOf({ columns }: PreparedStatement, answer: readonly Message[]): Answer {
  const rows: unknown[] = []
  let tag = ''
  for (const message of answer) {
    if (message.name === 'dataRow') rows.push(rowOf(columns, message as messages.DataRowMessage))
    if (message.name === 'commandComplete') tag = (message as messages.CommandCompleteMessage).text
  }
  // `INSERT 0 5`, `SELECT 2`, `COMMIT`, `CREATE TABLE`
  const [, command = tag, count = '0'] = /^([A-Z ]+?)(?: 0)?(?: (\d+))?$/.exec(tag) ?? []
  return { rows, count: Number(count), command }
}

function rowOf(columns: readonly Column[], { fields }: messages.DataRowMessage): unknown {
  const row: Record<string, unknown> = {}
  for (const [index, { name, parse }] of columns.entries()) {
    const text = fields[index] ?? null
    row[name] = text === null ? null : parse(text)
  }
  return row
}
