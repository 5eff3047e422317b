import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../test/browser.ts'
import { type Host, startHost } from '../../test/host.ts'
import { allRoutes, type SurfaceChoice } from '../surfaces.ts'

const CHOICES: readonly SurfaceChoice[] = ['all', 'ops', 'customer']
/** A browser on a busy machine takes its time. */
const PATIENCE_MS = 120_000

/** What a page did and what the browser held against it. */
interface Visit {
  readonly page: Page
  readonly requested: string[]
  readonly complaints: string[]
  close(): Promise<void>
}

async function visit(browser: Browser, address: string, dark: boolean): Promise<Visit> {
  const context = await browser.newContext({
    colorScheme: dark ? 'dark' : 'light',
    viewport: { width: 1280, height: 900 },
  })
  const page = await context.newPage()
  const requested: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', (event) =>
      console.error('CSP ' + event.violatedDirective + ' ' + event.blockedURI))`,
  })
  await page.goto(address, { waitUntil: 'load', timeout: PATIENCE_MS })
  return { page, requested, complaints, close: () => context.close() }
}

describe('the API reference in a real browser, offline', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  test.each(CHOICES)(
    'shows the operations of surface %s, asks nobody else, breaks no policy (spec 1.4)',
    async (surface) => {
      const host: Host = await startHost({ mode: 'token', env: { TFS_SURFACE: surface } })
      try {
        for (const dark of surface === 'all' ? [false, true] : [false]) {
          const { page, requested, complaints, close } = await visit(
            browser,
            `${host.baseUrl}/docs/`,
            dark,
          )
          const first = allRoutes.find(
            (route) => route.surface === (surface === 'customer' ? 'customer' : 'operations'),
          )
          await page
            .getByText(first?.summary ?? '')
            .first()
            .waitFor({ timeout: PATIENCE_MS })
          expect(await page.title()).toBe('API reference · TFS')
          const heading = await page.locator('h1').first().boundingBox()
          expect(heading?.height, 'the heading is not squeezed').toBeLessThan(80)
          const text = await page.locator('body').innerText()
          expect(text).toContain(surface === 'customer' ? 'TFS customers' : 'TFS operations')
          expect(text).not.toMatch(/Powered by|Ask AI|Generate MCP|Open API Client/i)
          const elsewhere = requested.filter(
            (url) =>
              !url.startsWith(host.baseUrl) && !url.startsWith('data:') && !url.startsWith('blob:'),
          )
          expect(elsewhere).toEqual([])
          expect(complaints).toEqual([])
          await close()
        }
      } finally {
        await host.close()
      }
    },
    2 * PATIENCE_MS,
  )

  test('the page of errors stands at the anchor of its code, and breaks no policy', async () => {
    const host = await startHost()
    const { page, requested, complaints, close } = await visit(
      browser,
      `${host.baseUrl}/docs/errors#MSG-G-12`,
      false,
    )
    expect(await page.locator('article:target h2').innerText()).toContain('MSG-G-12')
    expect(requested.every((url) => url.startsWith(host.baseUrl) || url.startsWith('data:'))).toBe(
      true,
    )
    expect(complaints).toEqual([])
    await close()
    await host.close()
  })
})
