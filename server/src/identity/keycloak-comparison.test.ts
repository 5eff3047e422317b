import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_PARTNER_CLIENT } from '../../../deploy/keycloak/demo-users.ts'
import { anonymous } from '../../../e2e/keycloak/anonymous.ts'
import type { CodeRequest } from '../../../e2e/keycloak/code-flow.ts'
import { differencesOf, isAt } from '../../../e2e/keycloak/compared/differences.ts'
import { expectedDifferences } from '../../../e2e/keycloak/compared/expected-differences.ts'
import { readFixture } from '../../../e2e/keycloak/fixtures.ts'
import { type RecordedProvider, recordings } from '../../../e2e/keycloak/recordings.ts'
import { disableAccount, enableAccount } from './accounts/change-account.ts'
import { addPartnerClient } from './accounts/partner-clients.ts'
import { formAction, hiddenFields, openBrowser } from './test/browser.ts'
import { signIn, typePassword } from './test/code-flow.ts'
import { openRealm, type TestRealm } from './test/realm.ts'

/** The questions that were put to a real Keycloak, put to the embedded provider. */

const BY = { actor: 'test' }

let realm: TestRealm
let differences: ReturnType<typeof differencesOf>

beforeAll(async () => {
  realm = await openRealm()
  const authUrl = new URL(realm.issuer).origin
  const embedded = anonymous(await recordings(await embeddedProvider()), { authUrl }) as object
  const keycloak: Record<string, unknown> = {}
  for (const name of Object.keys(embedded)) keycloak[name] = (await readFixture(name)).recorded
  differences = differencesOf(keycloak, embedded)
})
afterAll(() => realm?.close())

async function embeddedProvider(): Promise<RecordedProvider> {
  const { clientId, partnerId, permissions } = DEMO_PARTNER_CLIENT
  const details = { id: clientId, partnerId, permissions }
  const { secret } = await addPartnerClient(realm.store.db, BY, details)
  const signedIn = (username: string, { scope, ...client }: CodeRequest) =>
    signIn(realm, username, { client, more: { scope } })
  return {
    issuer: realm.issuer,
    partner: { clientId, secret },
    signIn: signedIn,
    newCode: (request) => signedIn('approver', request),
    async approveDevice({ approvalUrl }, username) {
      const browser = openBrowser()
      const typed = await browser.get(approvalUrl)
      const confirm = await browser.post(
        formAction(typed),
        hiddenAnd(typed, userCodeIn(approvalUrl)),
      )
      const agreed = await browser.post(formAction(confirm), hiddenAnd(confirm, { confirm: 'yes' }))
      await typePassword(browser, await browser.follow(agreed), username)
    },
    async whileDisabled(username, work) {
      await disableAccount(realm.store.db, BY, username)
      try {
        return await work()
      } finally {
        await enableAccount(realm.store.db, BY, username)
      }
    },
  }
}

function hiddenAnd(page: Parameters<typeof hiddenFields>[0], fields: Record<string, string>) {
  return { ...hiddenFields(page), ...fields }
}

function userCodeIn(approvalUrl: string): Record<string, string> {
  return { user_code: new URL(approvalUrl).searchParams.get('user_code') ?? '' }
}

test('the embedded provider differs from a real Keycloak only where the table says so', () => {
  const unlisted = differences.filter(
    ({ pointer, embedded }) =>
      !expectedDifferences.some(
        (row) =>
          row.pointers.some((pattern) => isAt(pattern, pointer)) &&
          isDeepStrictEqual(row.embedded, embedded),
      ),
  )
  expect(unlisted).toEqual([])
})

test('every difference of the table is still there, and has a reason', () => {
  const rows = expectedDifferences.flatMap(({ pointers, reason }) =>
    pointers.map((pattern) => ({ pattern, reason })),
  )
  const stale = rows.filter(
    ({ pattern, reason }) =>
      reason === '' || !differences.some(({ pointer }) => isAt(pattern, pointer)),
  )
  expect(stale).toEqual([])
})
