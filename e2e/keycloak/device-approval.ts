import type { Browser } from 'playwright-core'
import { fillLoginPage, type Login } from './browser.ts'
import type { Device } from './device-flow.ts'

/** What the user does in the browser: log in and agree. */
export async function approveDevice(browser: Browser, device: Device, login: Login): Promise<void> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(device.approvalUrl)
    await fillLoginPage(page, login)
    await page.locator('#kc-login').click()
    await page.waitForURL(/\/device\/status/)
  } finally {
    await context.close()
  }
}
