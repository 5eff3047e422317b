import type { ServerResponse } from 'node:http'

/**
 * html, json-array, broken-json, empty, huge, redirect, error   the answer is garbage
 * endless, flood                a body that never ends, slow and fast
 * hang, down                    no answer; the connection is cut
 * no-issuer, wrong-issuer       discovery names none or another
 * no-keys-uri, http-keys-uri    discovery names no place for keys, or plain http elsewhere
 * no-usable-key                 only keys that are not for signatures of ours
 */
export type Misbehaviour =
  | 'html'
  | 'json-array'
  | 'broken-json'
  | 'empty'
  | 'huge'
  | 'endless'
  | 'flood'
  | 'redirect'
  | 'error'
  | 'hang'
  | 'down'
  | 'no-issuer'
  | 'wrong-issuer'
  | 'no-keys-uri'
  | 'http-keys-uri'
  | 'no-usable-key'

/** Those that leave the last good set of keys in force. */
export const GARBAGE: readonly Misbehaviour[] = [
  'html',
  'json-array',
  'broken-json',
  'empty',
  'huge',
  'endless',
  'flood',
  'redirect',
  'error',
  'hang',
  'down',
  'no-issuer',
  'no-keys-uri',
  'http-keys-uri',
  'no-usable-key',
]

const HUGE_BYTES = 10 * 1024 * 1024

/** Answers in its own way and says true, or leaves the answer to the caller. */
export function answersBadly(
  how: Misbehaviour | undefined,
  response: ServerResponse,
  good: object,
): boolean {
  switch (how) {
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>')
      return true
    case 'json-array':
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
      return true
    case 'broken-json':
      response.writeHead(200).end(JSON.stringify(good).slice(0, -1))
      return true
    case 'empty':
      response.writeHead(200).end()
      return true
    case 'huge':
      response.writeHead(200).end(JSON.stringify({ ...good, padding: 'x'.repeat(HUGE_BYTES) }))
      return true
    case 'endless':
      response.writeHead(200).write(' ')
      return true
    case 'flood':
      response.writeHead(200)
      flood(response)
      return true
    case 'redirect':
      response.writeHead(302, { location: '/elsewhere' }).end()
      return true
    case 'error':
      response.writeHead(500).end(JSON.stringify(good))
      return true
    case 'hang':
      return true
    case 'down':
      response.destroy()
      return true
    default:
      return false
  }
}

/** As fast as the other side reads, until it stops reading. */
function flood(response: ServerResponse): void {
  if (response.destroyed) return
  response.write(' '.repeat(64 * 1024), () => setImmediate(flood, response))
}
