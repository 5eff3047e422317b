import { expect } from 'vitest'
import { errorCatalogue } from '../src/surfaces.ts'
import type { TestAnswer } from './client.ts'
import type { RawAnswer } from './raw.ts'

/** Traces of what no body may carry: stacks, SQL, tokens, addresses of our files. */
const LEAK =
  /node_modules|\.ts:\d|\bat \w+ \(|eyJ[\w-]|\b(?:select|insert into|update|delete from)\s+\w+.*\b(?:from|where|set|values)\b|SqlFault|pg_|relation "/i

type Answer = RawAnswer | TestAnswer

export function headerOf({ headers }: Answer, name: string): string | null {
  const value = headers.get(name)
  return typeof value === 'string' || value == null ? (value ?? null) : value.join(', ')
}

/** Platform contract, section 7: the shape of every answer from 400 on. */
export function expectProblem(answer: Answer, status: number, code: string, name = ''): void {
  expect(`${answer.status} ${answer.code}`, `${name} ${answer.text.slice(0, 300)}`).toBe(
    `${status} ${code}`,
  )
  const kind = errorCatalogue.find((candidate) => candidate.code === code)
  expect(answer.body, name).toMatchObject({
    type: `/docs/errors#${code}`,
    title: kind?.title,
    status: kind?.status,
    code,
    detail: expect.stringMatching(/\S/),
    instance: expect.any(String),
    requestId: expect.stringMatching(/^[\w-]{8,64}$/),
  })
  expect(headerOf(answer, 'content-type'), name).toMatch(/^application\/problem\+json/)
  expect(headerOf(answer, 'x-request-id'), name).toBe(answer.body.requestId)
  expect(headerOf(answer, 'cache-control'), name).toBe('no-store')
  expect(headerOf(answer, 'x-content-type-options'), name).toBe('nosniff')
  expect(answer.text, name).not.toMatch(LEAK)
}
