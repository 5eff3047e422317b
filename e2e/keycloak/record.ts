/** `node e2e/keycloak/record.ts`: writes what a real Keycloak says to `fixtures/`. */
import { anonymous } from './anonymous.ts'
import { launchBrowser } from './browser.ts'
import { writeFixture } from './fixtures.ts'
import { recordedKeycloak } from './recorded-keycloak.ts'
import { recordings } from './recordings.ts'
import { startKeycloak } from './server.ts'

const keycloak = await startKeycloak({ realm: 'demo' })
const browser = await launchBrowser()
try {
  const documents = await recordings(recordedKeycloak(keycloak, browser))
  for (const [name, recorded] of Object.entries(documents)) {
    await writeFixture(name, {
      keycloak: keycloak.version,
      recorded: anonymous(recorded, keycloak),
    })
    console.log(`recorded ${name}`)
  }
} finally {
  await browser.close()
  await keycloak.close()
}
