import { test } from 'vitest'
import { launchBrowser } from '../../test/browser.ts'
import { startHost } from '../../test/host.ts'
test('shots', async () => {
  const browser = await launchBrowser()
  const host = await startHost({ mode: 'token' })
  for (const scheme of ['light', 'dark'] as const) {
    const c = await browser.newContext({ colorScheme: scheme, viewport: { width: 1280, height: 900 } })
    const page = await c.newPage()
    page.on('console', (m) => console.log('console', m.type(), m.text()))
    page.on('request', (r) => console.log('req', r.url()))
    await page.goto(host.baseUrl + '/docs/')
    await page.waitForTimeout(4000)
    await page.screenshot({ path: `/tmp/docs-shots/${scheme}.png` })
    const text = await page.locator('body').innerText()
    for (const m of text.matchAll(/.{0,40}(Powered by|Ask AI|Generate MCP|Open API Client|scalar).{0,40}/gi)) console.log('FOUND', JSON.stringify(m[0]))
    const links = await page.locator('a[href^="http"]').evaluateAll((as) => as.map((a: any) => a.href + ' | ' + a.innerText))
    console.log('LINKS', links.filter((l: string) => !l.includes('127.0.0.1')).join('\n'))
    await page.getByText('Approve a contract').first().click()
    await page.waitForTimeout(2500)
    await page.screenshot({ path: `/tmp/docs-shots/${scheme}-operation.png` })
    await page.goto(host.baseUrl + '/docs/errors#MSG-G-12')
    await page.screenshot({ path: `/tmp/docs-shots/${scheme}-errors.png` })
    await c.close()
  }
  await host.close(); await browser.close()
})
