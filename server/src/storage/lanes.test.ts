import { expect, test } from 'vitest'
import { type Lanes, type LanesOptions, openLanes } from './lanes.ts'
import type { Session } from './session.ts'

interface FakeSession extends Session {
  lost: boolean
  closed: boolean
}

/** Stands for a connection that is lost or closed on demand. */
function fakeSession(): FakeSession {
  return {
    lost: false,
    closed: false,
    query: async () => ({ rows: [], count: 0, command: 'SELECT' }),
    queryBoth: async () => undefined,
    script: async () => undefined,
    isLost() {
      return this.lost
    },
    async close() {
      this.closed = true
    },
  }
}

function lanesOf(options: Partial<LanesOptions> = {}): { lanes: Lanes; made: FakeSession[] } {
  const made: FakeSession[] = []
  const open = (): Session => {
    const session = fakeSession()
    made.push(session)
    return session
  }
  return { lanes: openLanes({ size: 2, maxWaiting: 3, maxWaitMs: 50, open, ...options }), made }
}

/** Holds a lane until it is let go. */
function hold(lanes: Lanes): { done: Promise<unknown>; letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { done: lanes.lend(() => promise), letGo: resolve }
}

const refused = { status: 503, code: 'UNAVAILABLE' }

test('a lane is used again before another is opened', async () => {
  const { lanes, made } = lanesOf()
  for (let n = 0; n < 5; n++) await lanes.lend(async () => n)
  expect(made).toHaveLength(1)
})

test('no more lanes than the size, the others wait in their order', async () => {
  const { lanes, made } = lanesOf({ maxWaitMs: 10_000 })
  const [first, second] = [hold(lanes), hold(lanes)]
  const order: number[] = []
  const waiting = [1, 2, 3].map((n) => lanes.lend(async () => order.push(n)))
  expect(lanes.state()).toEqual({ size: 2, busy: 2, waiting: 3 })
  first.letGo()
  await Promise.all(waiting)
  expect(order).toEqual([1, 2, 3])
  second.letGo()
  await Promise.all([first.done, second.done])
  expect(made).toHaveLength(2)
  expect(lanes.state()).toEqual({ size: 2, busy: 0, waiting: 0 })
})

test('503 at once for who comes when the line is full', async () => {
  const { lanes } = lanesOf({ size: 1, maxWaiting: 1, maxWaitMs: 10_000 })
  const held = hold(lanes)
  const waiting = lanes.lend(async () => 'served')
  await expect(lanes.lend(async () => 'late')).rejects.toMatchObject(refused)
  held.letGo()
  expect(await waiting).toBe('served')
})

test('503 for who waited too long, and the lane serves the next one', async () => {
  const { lanes } = lanesOf({ size: 1 })
  const held = hold(lanes)
  await expect(lanes.lend(async () => 'never')).rejects.toMatchObject(refused)
  expect(lanes.state().waiting).toBe(0)
  held.letGo()
  expect(await lanes.lend(async () => 'served')).toBe('served')
})

test('a lane whose work threw is lent again', async () => {
  const { lanes, made } = lanesOf({ size: 1 })
  const broken = lanes.lend(async () => {
    throw new Error('work')
  })
  await expect(broken).rejects.toThrow('work')
  expect(await lanes.lend(async () => 'served')).toBe('served')
  expect(made).toHaveLength(1)
})

test('a lost lane is never lent again, whether it was lost at work or at rest', async () => {
  const { lanes, made } = lanesOf({ size: 1 })
  await lanes.lend(async (session) => {
    ;(session as FakeSession).lost = true
  })
  await lanes.lend(async () => undefined)
  expect(made).toHaveLength(2)
  ;(made[1] as FakeSession).lost = true
  await lanes.lend(async (session) => expect(session).toBe(made[2]))
  expect(made).toHaveLength(3)
})

test('closing refuses newcomers, lets the others finish, closes every lane', async () => {
  const { lanes, made } = lanesOf({ size: 1, maxWaitMs: 10_000 })
  const held = hold(lanes)
  const waiting = lanes.lend(async () => 'served')
  const closing = Promise.all([lanes.close(), lanes.close()])
  await expect(lanes.lend(async () => 'late')).rejects.toMatchObject(refused)
  held.letGo()
  expect(await waiting).toBe('served')
  await closing
  expect(made.map(({ closed }) => closed)).toEqual([true])
})
