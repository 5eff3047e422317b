import { connect } from 'node:net'

const PATIENCE_MS = 10_000
const HEAD_END = '\r\n\r\n'

/** An answer read byte by byte, for what `fetch` neither sends nor shows. */
export interface RawAnswer {
  readonly status: number
  /** Lower-case names; lines of one name in their order. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
  readonly body: any
  readonly code: string | undefined
}

export interface RawRequest {
  readonly method?: string
  readonly target?: string
  readonly version?: '1.0' | '1.1'
  /** Exactly as written; a Host line is added unless one is among them. */
  readonly lines?: readonly string[]
  readonly withoutHost?: boolean
  readonly body?: string | Buffer
}

export function requestBytes(request: RawRequest): Buffer {
  const { method = 'GET', target = '/api/v1/me', version = '1.1', lines = [] } = request
  const hasHost = request.withoutHost || lines.some((line) => /^host\s*:/i.test(line))
  const head = [
    `${method} ${target} HTTP/${version}`,
    ...(hasHost ? [] : ['Host: localhost']),
    ...lines,
  ]
  return Buffer.concat([
    Buffer.from(head.join('\r\n') + HEAD_END, 'latin1'),
    Buffer.from(request.body ?? ''),
  ])
}

/** Sends one request over a connection of its own and reads one final answer. */
export async function sendRaw(port: number, request: RawRequest): Promise<RawAnswer> {
  return sendBytes(port, requestBytes(request), request.method)
}

export async function sendBytes(
  port: number,
  bytes: string | Buffer,
  method = 'GET',
): Promise<RawAnswer> {
  const [answer] = await conversation(port, [bytes], 1, method)
  return answer as RawAnswer
}

/** Writes pieces one after the other and reads as many answers as expected. */
export function conversation(
  port: number,
  pieces: readonly (string | Buffer)[],
  expected: number,
  method = 'GET',
): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const answers: RawAnswer[] = []
    let pending: Buffer = Buffer.alloc(0)
    const finish = (error?: Error): void => {
      socket.destroy()
      if (error) reject(error)
      else resolve(answers)
    }
    const read = (closed: boolean): void => {
      for (;;) {
        const taken = takeAnswer(pending, closed, method)
        if (taken === undefined) break
        pending = taken.rest
        if (taken.answer.status >= 200) answers.push(taken.answer)
        if (answers.length === expected) finish()
      }
    }
    socket.setTimeout(PATIENCE_MS, () => finish(new Error('No answer came in time.')))
    socket.on('error', (error) => {
      if (answers.length < expected) finish(error)
    })
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk])
      read(false)
    })
    socket.on('close', () => {
      read(true)
      finish(
        answers.length < expected
          ? new Error(`The connection ended after ${answers.length} answers: ${pending}`)
          : undefined,
      )
    })
    for (const piece of pieces) socket.write(piece)
  })
}

interface Taken {
  readonly answer: RawAnswer
  readonly rest: Buffer
}

function takeAnswer(bytes: Buffer, closed: boolean, method: string): Taken | undefined {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const headers = headersOf(lines)
  const behind = bytes.subarray(end + HEAD_END.length)
  const length = lengthOf(status, headers, method)
  if (length === undefined ? !closed : behind.length < length) return undefined
  const content = length === undefined ? behind : behind.subarray(0, length)
  const text = content.toString('utf8')
  const body = isJson(headers) && text !== '' ? JSON.parse(text) : undefined
  return {
    answer: { status, headers, text, body, code: body?.code },
    rest: length === undefined ? Buffer.alloc(0) : behind.subarray(length),
  }
}

function headersOf(lines: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  return headers
}

/** Undefined: the body ends with the connection. */
function lengthOf(
  status: number,
  headers: ReadonlyMap<string, readonly string[]>,
  method: string,
): number | undefined {
  if (status < 200 || status === 204 || status === 304 || method === 'HEAD') return 0
  const length = headers.get('content-length')?.[0]
  return length === undefined ? undefined : Number(length)
}

function isJson(headers: ReadonlyMap<string, readonly string[]>): boolean {
  return /^application\/(?:[\w.+-]+\+)?json/.test(headers.get('content-type')?.[0] ?? '')
}
