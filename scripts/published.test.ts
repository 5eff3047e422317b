import { join } from 'node:path'
import { expect, test } from 'vitest'
import { currentlyPublished, publishedIn } from './published.ts'

const published = publishedIn(join(import.meta.dirname, '..'))
const now = currentlyPublished()

test('/api/v1 only grows: every published operation is still where it was (spec 9.2)', () => {
  expect(Object.keys(published.operations).length).toBeGreaterThan(40)
  const moved = Object.entries(published.operations).filter(
    ([id, call]) => now.operations[id] !== call,
  )
  expect(moved).toEqual([])
})

test('permission codes are append-only (platform 3)', () => {
  expect(published.permissions.filter((code) => !now.permissions.includes(code))).toEqual([])
})
