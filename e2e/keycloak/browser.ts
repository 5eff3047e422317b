import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import {
  authorizationUrl,
  type CodeRequest,
  exchangeCode,
  newPkce,
  type PendingCode,
} from './code-flow.ts'
import { outcomeOf } from './command.ts'
import type { Issuer, TokenAnswer } from './tokens.ts'

const CHROMIUM = '/usr/bin/chromium'
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function launchBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) await installChromium()
  return await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
}

async function installChromium(): Promise<void> {
  const wanted = `The browser tests need ${CHROMIUM} (Debian: apt-get install chromium).`
  if (process.getuid?.() !== 0) throw new Error(wanted)
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { code, output } = await outcomeOf('apt-get', args, wanted)
    if (code !== 0) throw new Error(`${wanted}\n${output}`)
  }
}

export interface Login {
  readonly username: string
  readonly password: string
}

/** Fills in Keycloak's own login page. */
export async function fillLoginPage(page: Page, { username, password }: Login): Promise<void> {
  await page.locator('#username').fill(username)
  await page.locator('#password').fill(password)
  await page.locator('#kc-login').click()
}

export interface CodeOfBrowser extends PendingCode {
  /** What the app was called back with. */
  readonly callback: URLSearchParams
}

/** A login in a fresh browser session; the app's page is answered here, none listens. */
export async function codeByBrowser(
  browser: Browser,
  provider: Issuer,
  request: CodeRequest,
  login: Login,
): Promise<CodeOfBrowser> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const isApp = (url: URL) => `${url.origin}${url.pathname}` === request.redirectUri
    await page.route(isApp, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>app</title>' }),
    )
    const pkce = newPkce()
    await page.goto(authorizationUrl(provider, request, pkce))
    await fillLoginPage(page, login)
    await page.waitForURL(isApp)
    const callback = new URL(page.url()).searchParams
    return { code: callback.get('code') ?? '', pkce, callback }
  } finally {
    await context.close()
  }
}

export interface CodeLogin {
  readonly tokens: TokenAnswer
  readonly callback: URLSearchParams
}

/** The same up to the tokens: code + PKCE. */
export async function loginByBrowser(
  browser: Browser,
  provider: Issuer,
  request: CodeRequest,
  login: Login,
): Promise<CodeLogin> {
  const { code, pkce, callback } = await codeByBrowser(browser, provider, request, login)
  return { tokens: await exchangeCode(provider, request, code, pkce.verifier), callback }
}
