const TOKEN_USED_MS = 30_000

/** `path` is below `/admin/realms/tfs`; answers the parsed body, undefined where there is none. */
export type AdminApi = <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>

export interface AdminLogin {
  readonly authUrl: string
  readonly username: string
  readonly password: string
}

export interface AdminDoor {
  readonly admin: AdminApi
  /** The same for the raw answer and for paths outside the realm, e.g. `/admin/realms`. */
  readonly request: (method: string, path: string, body?: unknown) => Promise<Response>
}

export function adminDoor(login: AdminLogin): AdminDoor {
  const token = administratorToken(login)
  const request: AdminDoor['request'] = async (method, path, body) =>
    await fetch(`${login.authUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const admin: AdminApi = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await request(method, `/admin/realms/tfs${path}`, body)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  return { admin, request }
}

/** Admin tokens live for a minute. */
function administratorToken({ authUrl, username, password }: AdminLogin): () => Promise<string> {
  let known: { token: string; at: number } | undefined
  return async () => {
    if (known !== undefined && Date.now() - known.at < TOKEN_USED_MS) return known.token
    const answer = await fetch(`${authUrl}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: 'admin-cli',
        username,
        password,
      }),
    })
    const body = (await answer.json()) as { access_token?: string; error?: string }
    if (body.access_token === undefined) {
      throw new Error(`The administrator could not log in: ${answer.status} ${body.error}`)
    }
    known = { token: body.access_token, at: Date.now() }
    return known.token
  }
}
