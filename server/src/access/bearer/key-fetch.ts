import { type DiscoveryOptions, discoverKeysUrl } from './discovery.ts'
import { fetchDocument } from './provider-document.ts'
import { type ReadKeys, readSigningKeys, type SigningKeys } from './signing-keys.ts'

/** For discovery and keys together: nobody waits longer for an unknown key. */
const FETCH_TIMEOUT_MS = 5_000

export interface KeyFetchOptions extends DiscoveryOptions {
  readonly algorithms: ReadonlySet<string>
  readonly fetchTimeoutMs?: number | undefined
}

export interface KeyFetch {
  fetch(previous: SigningKeys): Promise<ReadKeys>
  abort(): void
}

export function createKeyFetch(options: KeyFetchOptions): KeyFetch {
  const timeoutMs = options.fetchTimeoutMs ?? FETCH_TIMEOUT_MS
  let running: AbortController | undefined

  async function fetch(previous: SigningKeys): Promise<ReadKeys> {
    const controller = new AbortController()
    running = controller
    const timeout = setTimeout(() => controller.abort(`no answer in ${timeoutMs} ms`), timeoutMs)
    timeout.unref()
    try {
      const keysUrl = await discoverKeysUrl(options, controller.signal)
      const document = await fetchDocument(keysUrl, controller.signal)
      return await readSigningKeys(document, options.algorithms, previous)
    } finally {
      clearTimeout(timeout)
    }
  }

  return { fetch, abort: () => running?.abort('stopped') }
}
