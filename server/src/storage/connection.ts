import { connect as connectSocket, type Socket } from 'node:net'
import postgres from 'postgres'
import { failureOf, isLostConnection, unavailable } from './failures.ts'
import { inOrder } from './in-order.ts'
import { quotedName } from './quoting.ts'
import type { Answer, Session } from './session.ts'
import { parsers, requireDefinedValues, writers } from './wire-types.ts'

export interface ConnectionOptions {
  readonly url: string
  readonly schema: string
  readonly applicationName: string
  /** 0: no limit, for the owner's work. */
  readonly statementTimeoutMs: number
}

export const CONNECT_TIMEOUT_SECONDS = 3
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000
/** The database ends a slow statement itself; beyond this margin the network is silent. */
const SILENCE_MARGIN_MS = 3_000
const CLOSE_TIMEOUT_SECONDS = 5
const KEEP_ALIVE_SECONDS = 20

/**
 * One client of the driver per connection life. The driver would reconnect by itself and send what
 * is left of a lost transaction over the new connection; here a lost connection stays lost.
 */
export function connect(options: ConnectionOptions): Session {
  let lost = false
  let opened: Socket | undefined
  // Nothing queues inside the driver, where it would outlive the connection.
  const ordered = inOrder()
  const silenceMs =
    options.statementTimeoutMs === 0 ? 0 : options.statementTimeoutMs + SILENCE_MARGIN_MS

  // The driver calls this again whenever it reconnects: the second time is refused.
  const socketOption: SocketOption = {
    socket: (target) => {
      if (opened !== undefined) throw unavailable(LOST)
      opened = openSocket(target)
      return opened
    },
  }
  const client = postgres(options.url, {
    ...driverOptionsOf(options),
    ...socketOption,
    onclose: () => {
      lost = true
    },
  })

  function discard(): void {
    lost = true
    opened?.destroy()
  }

  const answered = <T>(send: () => Promise<T>): Promise<T> => ordered(() => answeredInTime(send))

  async function answeredInTime<T>(send: () => Promise<T>): Promise<T> {
    if (lost) throw unavailable(LOST)
    const silence = silenceMs === 0 ? undefined : setTimeout(discard, silenceMs)
    try {
      return await send()
    } catch (error) {
      if (isLostConnection(error)) discard()
      throw failureOf(error)
    } finally {
      clearTimeout(silence)
    }
  }

  async function send(text: string, values: readonly unknown[]): Promise<Answer> {
    return answerOf(await client.unsafe(text, untyped(client, values), PREPARED))
  }

  return {
    async query(text, values) {
      requireDefinedValues(values)
      return answered(() => send(text, values))
    },
    async queryBoth(...both) {
      for (const { values } of both) requireDefinedValues(values)
      await answered(async () => {
        const outcomes = await Promise.allSettled(
          both.map(({ text, values }) => send(text, values)),
        )
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
      })
    },
    async script(text) {
      await answered(() => client.unsafe(text).simple())
    },
    isLost: () => lost,
    async close() {
      lost = true
      await client.end({ timeout: CLOSE_TIMEOUT_SECONDS })
    },
  }
}

const LOST = 'The connection to the database was lost.'

/** `simple: false` keeps statements without values in the prepared protocol too. */
const PREPARED: { prepare: true; simple: false } = { prepare: true, simple: false }

interface SocketTarget {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

function openSocket({ host, port, path }: SocketTarget): Socket {
  const name = host[0] as string
  const socket = path ? connectSocket(path) : connectSocket(port[0] as number, name)
  // The driver reads the server's name for TLS from this member.
  return Object.assign(socket, { host: name })
}

type DriverOptions = postgres.Options<Record<string, postgres.PostgresType>>

/** Known to the driver, not to its type declarations. */
interface SocketOption {
  readonly socket: (target: SocketTarget) => Socket
}

function driverOptionsOf(options: ConnectionOptions): DriverOptions {
  return {
    max: 1,
    prepare: true,
    fetch_types: false,
    types: driverTypes,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    keep_alive: KEEP_ALIVE_SECONDS,
    max_lifetime: null,
    backoff: () => 0,
    onnotice: () => undefined,
    connection: {
      application_name: options.applicationName,
      // Temporary tables come last, so that none can stand in for a table of the schema.
      search_path: `${quotedName(options.schema)}, pg_temp`,
      TimeZone: 'UTC',
      DateStyle: 'ISO, YMD',
      // Short statements: compiling one takes longer than running it.
      jit: 'off',
      statement_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    } as NonNullable<DriverOptions['connection']>,
  }
}

const driverTypes = Object.fromEntries(
  Object.entries(parsers).map(([oid, parse]) => [
    `type${oid}`,
    { to: Number(oid), from: [Number(oid)], parse, serialize: writers[Number(oid)] },
  ]),
) as Record<string, postgres.PostgresType>

/** The driver must not guess types from values: the statement decides, as in the other store. */
function untyped(client: postgres.Sql, values: readonly unknown[]): postgres.Parameter<unknown>[] {
  return values.map((value) => client.typed(value, 0))
}

function answerOf(result: postgres.RowList<postgres.Row[]>): Answer {
  return { rows: Array.from(result), count: result.count ?? 0, command: result.command }
}
