import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'] as const
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']

/** A real Chromium; Debian's is installed where that is allowed, else the test fails and says so. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = chromiumFound() ?? chromiumInstalled()
  return chromium.launch({ executablePath, args: [...FLAGS], headless: true })
}

function chromiumFound(): string | undefined {
  return PLACES.find((place) => existsSync(place))
}

function chromiumInstalled(): string {
  const wanted = `Chromium is needed for the tests of pages: install Debian's "chromium".`
  if (process.getuid?.() !== 0) throw new Error(wanted)
  const script =
    'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium'
  const { status, stderr } = spawnSync('sh', ['-ec', script], { encoding: 'utf8' })
  const found = chromiumFound()
  if (status !== 0 || found === undefined) throw new Error(`${wanted}\n${stderr}`)
  return found
}
