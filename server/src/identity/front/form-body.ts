import type { IncomingMessage } from 'node:http'

const LARGEST_FORM_BYTES = 16 * 1024
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** The fields of a posted form, each at most once; undefined when it is no such form. */
export async function formFields(
  request: IncomingMessage,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (!FORM_TYPE.test(request.headers['content-type'] ?? '')) return undefined
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST_FORM_BYTES) return undefined
    chunks.push(chunk)
  }
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(Buffer.concat(chunks).toString('utf8'))) {
    if (fields.has(name)) return undefined
    fields.set(name, value)
  }
  return fields
}
