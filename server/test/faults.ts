import { expect } from 'vitest'
import type { TestAnswer } from './client.ts'

/** What a fault in one place of the request looks like to the client. */
export interface ExpectedFault {
  readonly pointer: string
  readonly code: string
  readonly detail: string | RegExp
}

/** 400 with exactly these faults, in any order. */
export function expectFaults(answer: TestAnswer, faults: readonly ExpectedFault[]): void {
  expectRefusal(answer, 400, 'VALIDATION_FAILED', faults)
}

export function expectRefusal(
  answer: TestAnswer,
  status: number,
  code: string,
  faults: readonly ExpectedFault[],
): void {
  expect(answer, answer.text).toMatchObject({ status, code })
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  const expected = faults.map((fault) => ({
    ...fault,
    detail: typeof fault.detail === 'string' ? fault.detail : expect.stringMatching(fault.detail),
  }))
  expect(answer.body.errors, answer.text).toHaveLength(expected.length)
  expect(answer.body.errors, answer.text).toEqual(expect.arrayContaining(expected))
}
