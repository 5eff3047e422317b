/**
 * A browser without scripts: cookies by path, redirects one at a time, forms as they are written.
 */
export interface TestBrowser {
  get(url: string): Promise<Shown>
  post(url: string, fields: Readonly<Record<string, string>>, headers?: Headers_): Promise<Shown>
  /** Follows redirects of this origin; stops where the next one leads elsewhere. */
  follow(shown: Shown): Promise<Shown>
  readonly cookies: Map<string, Cookie>
}

type Headers_ = Readonly<Record<string, string>>

export interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  /** As it was set, attributes and all. */
  readonly line: string
}

export interface Shown {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly location: string | undefined
  readonly text: string
}

export function openBrowser(): TestBrowser {
  const cookies = new Map<string, Cookie>()

  async function send(url: string, init: RequestInit & { headers?: Headers_ }): Promise<Shown> {
    const { pathname } = new URL(url)
    const sent = [...cookies.values()].filter((one) => pathname.startsWith(one.path))
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'text/html,application/xhtml+xml',
        ...(sent.length > 0 && { cookie: sent.map((c) => `${c.name}=${c.value}`).join('; ') }),
        ...init.headers,
      },
    })
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    const location = response.headers.get('location')
    return {
      url,
      status: response.status,
      headers: response.headers,
      location: location === null ? undefined : new URL(location, url).href,
      text: await response.text(),
    }
  }

  const browser: TestBrowser = {
    cookies,
    get: (url) => send(url, {}),
    post: (url, fields, headers = {}) =>
      send(url, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { origin: new URL(url).origin, ...headers },
      }),
    async follow(shown) {
      let at = shown
      while (at.location !== undefined && new URL(at.location).origin === new URL(at.url).origin) {
        at = await send(at.location, {})
      }
      return at
    },
  }
  return browser
}

function keep(cookies: Map<string, Cookie>, line: string): void {
  const [pair = '', ...attributes] = line.split(/;\s*/)
  const cut = pair.indexOf('=')
  const [name, value] = [pair.slice(0, cut), pair.slice(cut + 1)]
  const path = attributes.find((one) => /^path=/i.test(one))?.slice('path='.length) ?? '/'
  const key = `${name} ${path}`
  if (/expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(key)
  else cookies.set(key, { name, value, path, line })
}

/** The hidden fields of the first form of a page, or of the one that has this button. */
export function hiddenFields({ text }: Shown): Record<string, string> {
  const fields: Record<string, string> = {}
  const [form = ''] = /<form[\s\S]*?<\/form>/.exec(text) ?? []
  for (const [tag] of form.matchAll(/<input type="hidden"[^>]*>/g)) {
    const [, name] = /name="([^"]*)"/.exec(tag) ?? []
    const [, value] = /value="([^"]*)"/.exec(tag) ?? []
    if (name !== undefined && value !== undefined) fields[name] = value
  }
  return fields
}

export function formAction({ text, url }: Shown): string {
  const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(text) ?? []
  return new URL(action, url).href
}
