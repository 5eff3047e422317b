/** An answer as a test looks at it. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
  readonly body: any
  /** Of a problem body. */
  readonly code: string | undefined
}

export interface Client {
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestAnswer>
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>
}

/** Paths below /api/v1 may be written without the prefix. */
export function clientOf(baseUrl: string, identity: Record<string, string>): Client {
  const send: Client['send'] = async (method, path, body, headers = {}) => {
    const isOutside = /^\/(?:api\/|docs|healthz|readyz|console|portal)/.test(path)
    const answer = await fetch(`${baseUrl}${isOutside ? '' : '/api/v1'}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...identity,
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const parsed =
      isJson(answer.headers.get('content-type')) && text !== '' ? JSON.parse(text) : undefined
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: parsed,
      code: parsed?.code,
    }
  }
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
  }
}

function isJson(contentType: string | null): boolean {
  return /^application\/(?:[\w.+-]+\+)?json/.test(contentType ?? '')
}
