import type { Browser } from 'playwright-core'
import { DEMO_PARTNER_CLIENT } from '../../deploy/keycloak/demo-users.ts'
import { setEnabled } from './accounts.ts'
import { codeByBrowser } from './browser.ts'
import { approveDevice } from './device-approval.ts'
import { impersonatedCode, impersonatedTokens } from './impersonation.ts'
import type { RecordedProvider } from './recordings.ts'
import type { Keycloak } from './server.ts'

export function recordedKeycloak(keycloak: Keycloak, browser: Browser): RecordedProvider {
  const loginOf = (username: string) => ({ username, password: username })
  return {
    issuer: keycloak.issuer,
    partner: DEMO_PARTNER_CLIENT,
    signIn: (username, request) => codeByBrowser(browser, keycloak, request, loginOf(username)),
    newCode: (request) => impersonatedCode(keycloak, 'approver', request),
    approveDevice: (device, username) => approveDevice(browser, device, loginOf(username)),
    impersonate: (username, request) => impersonatedTokens(keycloak, username, request),
    async whileDisabled(username, work) {
      await setEnabled(keycloak.admin, username, false)
      try {
        return await work()
      } finally {
        await setEnabled(keycloak.admin, username, true)
      }
    },
  }
}
