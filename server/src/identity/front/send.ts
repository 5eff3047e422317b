import type { ServerResponse } from 'node:http'
import { documentOf, type Page, pageHeaders } from '../pages/page.ts'

export function sendPage(response: ServerResponse, page: Page): void {
  const body = documentOf(page)
  response.writeHead(page.status, {
    ...pageHeaders(page),
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  })
  response.end(body)
}

export function sendRedirect(response: ServerResponse, status: 302 | 303, location: string): void {
  response.writeHead(status, { location, 'content-length': 0, 'cache-control': 'no-store' })
  response.end()
}
