import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clauses } from './clauses.ts'
import { proofsIn } from './proofs.ts'

const proofs = proofsIn(join(import.meta.dirname, '../..'))

test('every clause of the identity and access contract has a test', () => {
  expect(
    clauses.filter(({ id }) => !proofs.has(id)).map(({ id, states }) => `${id} ${states}`),
  ).toEqual([])
})

test('every clause that a test cites exists', () => {
  const known = new Set(clauses.map(({ id }) => id))
  expect([...proofs.keys()].filter((id) => !known.has(id))).toEqual([])
})

test('no clause stands twice', () => {
  expect(new Set(clauses.map(({ id }) => id)).size).toBe(clauses.length)
})
