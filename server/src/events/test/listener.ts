/** One message of a stream as a client parses it; comments have `comment` alone. */
export interface Message {
  readonly id?: string
  readonly event?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of several shapes
  readonly data?: any
  readonly comment?: string
}

export interface Listening {
  readonly status: number
  readonly headers: Headers
  readonly messages: readonly Message[]
  readonly hasEnded: boolean
  /** The messages that carry data, once there are so many. */
  events(count: number): Promise<Message[]>
  ended(): Promise<void>
  close(): Promise<void>
}

const PATIENCE_MS = 10_000

/** Reads a stream with `fetch`, as a browser client does. */
export async function listenTo(url: string, headers: Record<string, string>): Promise<Listening> {
  const gone = new AbortController()
  const answer = await fetch(url, { headers, signal: gone.signal })
  const messages: Message[] = []
  let hasEnded = false
  const reading = readInto(messages, answer).then(
    () => {
      hasEnded = true
    },
    (error: unknown) => {
      hasEnded = true
      if (!gone.signal.aborted) throw error
    },
  )
  const withData = (): Message[] => messages.filter(({ data }) => data !== undefined)
  return {
    status: answer.status,
    headers: answer.headers,
    messages,
    get hasEnded() {
      return hasEnded
    },
    async events(count) {
      await until(() => withData().length >= count)
      return withData()
    },
    ended: () => until(() => hasEnded).then(() => reading),
    async close() {
      gone.abort()
      await reading
    },
  }
}

async function readInto(messages: Message[], answer: Response): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    const blocks = rest.split('\n\n')
    rest = blocks.pop() as string
    for (const block of blocks) messages.push(messageOf(block))
  }
}

function messageOf(block: string): Message {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon) || 'comment', line.slice(colon + 1).trimStart()] as const
  })
  const { data, ...message } = Object.fromEntries(fields)
  return data === undefined ? message : { ...message, data: JSON.parse(data) }
}

async function until(isTrue: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS
  while (!isTrue()) {
    if (Date.now() > giveUpAt) throw new Error('Nothing of the kind came over the stream.')
    await new Promise((done) => setTimeout(done, 10))
  }
}
