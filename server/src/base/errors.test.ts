import { expect, test } from 'vitest'
import { defineErrors, fail, Problem, requireNone } from './errors.ts'

const errors = defineErrors({
  TOO_LATE: { status: 409, title: 'It is too late.', when: 'The door is closed.' },
  'MSG-X-1': { status: 400, title: 'No.', when: 'Always.' },
})

test('a kind carries its code, status, title and meaning', () => {
  expect({ ...errors.TOO_LATE }).toMatchObject({
    code: 'TOO_LATE',
    status: 409,
    title: 'It is too late.',
    when: 'The door is closed.',
  })
  expect(errors['MSG-X-1'].code).toBe('MSG-X-1')
})

test('calling a kind makes the problem, with members and headers', () => {
  const problem = errors.TOO_LATE('Come back.', { state: 'CLOSED' }, { 'retry-after': '1' })
  expect(problem).toBeInstanceOf(Problem)
  expect(problem).toBeInstanceOf(Error)
  expect(problem).toMatchObject({
    ...{ code: 'TOO_LATE', status: 409, detail: 'Come back.', message: 'Come back.' },
    ...{ members: { state: 'CLOSED' }, headers: { 'retry-after': '1' }, name: 'Problem' },
  })
  expect(errors.TOO_LATE('Come back.')).toMatchObject({ members: {}, headers: {} })
})

test('a refusal is a value that becomes the same problem when it is required to be none', () => {
  const refusal = errors.TOO_LATE.refusal('Come back.', { state: 'CLOSED' })
  expect(refusal).toEqual({
    kind: errors.TOO_LATE,
    detail: 'Come back.',
    members: { state: 'CLOSED' },
  })
  expect(() => requireNone(refusal)).toThrow(errors.TOO_LATE('Come back.', { state: 'CLOSED' }))
  expect(requireNone(undefined)).toBeUndefined()
})

test('fail throws what it is given', () => {
  const problem = errors['MSG-X-1']('No.')
  expect(() => fail(problem)).toThrow(problem)
})
