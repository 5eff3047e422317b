import { type JsonObject, jsonObjectOf } from './json-object.ts'
import { ProviderFault } from './provider-fault.ts'

export const MAX_DOCUMENT_BYTES = 256 * 1024

/** One JSON document of the provider: no redirect, bounded size (security rule 7). */
export async function fetchDocument(url: URL, signal: AbortSignal): Promise<JsonObject> {
  const response = await answerOf(url, signal)
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new ProviderFault('GARBAGE', `${url.href} answered with status ${response.status}.`)
  }
  const document = jsonObjectOf(await boundedBodyOf(response, url, signal))
  if (document === undefined) throw new ProviderFault('GARBAGE', `${url.href} gave no JSON object.`)
  return document
}

async function answerOf(url: URL, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, {
      signal,
      redirect: 'manual',
      credentials: 'omit',
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
    })
  } catch (error) {
    throw unreachable(url, signal, error)
  }
}

async function boundedBodyOf(
  response: Response,
  url: URL,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > MAX_DOCUMENT_BYTES) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw unreachable(url, signal, error)
  }
  if (size > MAX_DOCUMENT_BYTES) {
    throw new ProviderFault('GARBAGE', `${url.href} gave more than ${MAX_DOCUMENT_BYTES} bytes.`)
  }
  return Buffer.concat(chunks)
}

function unreachable(url: URL, signal: AbortSignal, error: unknown): ProviderFault {
  const why = signal.aborted ? String(signal.reason) : systemCodeOf(error)
  return new ProviderFault('UNREACHABLE', `${url.href} cannot be read: ${why}.`, { cause: error })
}

/** `fetch` hides ECONNREFUSED and its like in the cause. */
function systemCodeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return String(cause)
}
