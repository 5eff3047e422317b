import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { steppedClock } from '../../test/stepped-clock.ts'
import { openBrowser } from './test/browser.ts'
import {
  authorizationUrl,
  CONSOLE,
  newPkce,
  openSignIn,
  passwordGrant,
  typePassword,
} from './test/code-flow.ts'
import { openRealm, type TestRealm } from './test/realm.ts'

const time = steppedClock()
let realm: TestRealm
beforeEach(async () => {
  realm = await openRealm({ clock: time.clock })
})
afterEach(() => realm.close())

async function fail(username: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await passwordGrant(realm, username, `guess ${i}`)
}

describe('back-off', () => {
  test('429 for the sixth attempt after five failures of a user, with the right password too', async () => {
    await fail('chief', 5)
    const refused = await passwordGrant(realm, 'chief')
    expect(refused).toMatchObject({ status: 429, body: { error: 'invalid_grant' } })
    expect(refused.headers.get('retry-after')).toBe('5')
    expect((await passwordGrant(realm, 'auditor')).status).toBe(200)
    time.step(6)
    expect((await passwordGrant(realm, 'chief')).status).toBe(200)
  })

  test('another spelling of the name is the same user', async () => {
    await fail('chief', 3)
    await fail('CHIEF', 2)
    expect((await passwordGrant(realm, 'Chief')).status).toBe(429)
  })

  test('a name that nobody has is treated alike', async () => {
    await fail('nobody', 5)
    const [known, unknown] = [await failedFive('chief'), await passwordGrant(realm, 'nobody')]
    expect(unknown.status).toBe(429)
    expect(unknown.body).toEqual(known.body)
  })

  async function failedFive(username: string) {
    await fail(username, 5)
    return passwordGrant(realm, username)
  }

  test('a success resets the count', async () => {
    for (let round = 0; round < 3; round++) {
      await fail('chief', 4)
      expect((await passwordGrant(realm, 'chief')).status).toBe(200)
    }
  })

  test('the wait grows with every further failure', async () => {
    await fail('chief', 5)
    time.step(6)
    await fail('chief', 1)
    expect((await passwordGrant(realm, 'chief')).headers.get('retry-after')).toBe('10')
  })

  test('429 for anyone after twenty failures of an address; one’s own sign-in buys no more', async () => {
    for (let i = 0; i < 19; i++) {
      await fail(`user${i}`, 1)
      if (i % 5 === 0) expect((await passwordGrant(realm, 'auditor')).status).toBe(200)
    }
    await fail('user19', 1)
    expect((await passwordGrant(realm, 'auditor')).status).toBe(429)
  })

  test('fifty guesses at once are no way around it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => passwordGrant(realm, 'chief', `guess ${i}`)),
    )
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45)
  })

  test('fifty right sign-ins at once all succeed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => passwordGrant(realm, 'chief')),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
  })

  test('the page and the password grant count together', async () => {
    await fail('chief', 4)
    const browser = openBrowser()
    const page = await openSignIn(browser, authorizationUrl(realm, CONSOLE, newPkce()))
    const fifth = await typePassword(browser, page, 'chief', 'guess')
    expect(fifth.status).toBe(400)
    const sixth = await typePassword(browser, fifth, 'chief')
    expect(sixth.status).toBe(429)
    expect(sixth.headers.get('retry-after')).toBe('5')
    expect(sixth.text).toContain('Too many failed attempts. Try again in 5 seconds.')
  })
})

describe('an unknown user and a wrong password', () => {
  test('are told apart neither by the answer nor by the work', async () => {
    const timed = async (username: string) => {
      const started = performance.now()
      const { status, headers, body } = await passwordGrant(realm, username, 'wrong password')
      return { status, type: headers.get('content-type'), body, ms: performance.now() - started }
    }
    await timed('warm-up')
    const [known, unknown] = [await timed('chief'), await timed('nobody')]
    expect({ ...unknown, ms: 0 }).toEqual({ ...known, ms: 0 })
    expect(known.body).toEqual({
      ...{ error: 'invalid_grant', error_description: 'Invalid user credentials' },
    })
    // A name without a hash would be answered in a fraction of the time that the hash takes.
    expect(unknown.ms).toBeGreaterThan(known.ms / 4)
  })
})
