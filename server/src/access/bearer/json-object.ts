export type JsonObject = Readonly<Record<string, unknown>>

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The object in these bytes; undefined for broken UTF-8, broken JSON and any other JSON value. */
export function jsonObjectOf(bytes: Uint8Array): JsonObject | undefined {
  let value: unknown
  try {
    value = JSON.parse(strictUtf8.decode(bytes))
  } catch {
    return undefined
  }
  return isJsonObject(value) ? value : undefined
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Own members only: a claim that is set to be called `constructor` is absent, not a function. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
