import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hasProgram, outcomeOf } from './command.ts'
import { environmentWithoutKeycloak, javaProgram, keycloakCommand, requireJava } from './java.ts'
import { cacheDirectory, type Release, wantedRelease } from './settings.ts'

export interface Distribution {
  readonly version: string
  /** Shared by every run, never written to after the build. */
  readonly library: string
}

/** Options that Keycloak bakes into its build: a run with the same ones starts without building. */
export const BUILD_OPTIONS = ['--db=dev-file', '--health-enabled=true']

/** Keycloak's way to say: built, start me again. */
const BUILT_EXIT_CODE = 10

export async function installedDistribution(say: (line: string) => void): Promise<Distribution> {
  await requireJava()
  const release = wantedRelease()
  const installed = join(cacheDirectory(), `keycloak-${release.version}`)
  if (!existsSync(installed)) await install(release, installed, say)
  return { version: release.version, library: join(installed, 'lib') }
}

/** Made beside its place and moved there when complete, so that a half-made one is never used. */
async function install(release: Release, installed: string, say: (line: string) => void) {
  await mkdir(cacheDirectory(), { recursive: true })
  const workspace = await mkdtemp(`${installed}.part-`)
  try {
    say(`getting Keycloak ${release.version} (about 170 MB, once)`)
    const archive = await downloaded(release, workspace)
    await requireChecksum(archive, release)
    await unpack(archive, workspace)
    const unpacked = join(workspace, `keycloak-${release.version}`)
    say('building Keycloak for quicker starts (once)')
    await build(unpacked)
    await rename(unpacked, installed)
  } catch (error) {
    // Another process may have been quicker; its result is as good.
    if (!existsSync(installed)) throw error
  } finally {
    await rm(workspace, { recursive: true, force: true })
  }
}

async function downloaded({ version }: Release, directory: string): Promise<string> {
  const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`
  const quiet = ['-q', '-B']
  const missing = 'No Maven found. It fetches Keycloak (Debian: maven); or set KEYCLOAK_URL.'
  for (const goal of [
    ['-U', 'dependency:get', '-Dtransitive=false', `-Dartifact=${artifact}`],
    ['dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${directory}`],
  ]) {
    const { code, output } = await outcomeOf('mvn', [...quiet, ...goal], missing)
    if (code !== 0) throw new Error(`Maven could not get ${artifact}: ${firstErrorOf(output)}`)
  }
  return join(directory, `keycloak-quarkus-dist-${version}.zip`)
}

function firstErrorOf(output: string): string {
  return output.split('\n').find((line) => line.includes('ERROR')) ?? output.trim()
}

async function requireChecksum(archive: string, release: Release): Promise<void> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(archive), digest)
  const found = digest.digest('hex')
  if (found !== release.sha256) {
    throw new Error(
      `Keycloak ${release.version}: the zip has SHA-256 ${found}, expected ${release.sha256}.`,
    )
  }
}

async function unpack(archive: string, directory: string): Promise<void> {
  const [program, ...args] = (await hasProgram('unzip', '-v'))
    ? ['unzip', '-q', archive]
    : ['jar', 'xf', archive]
  const missing = 'Neither unzip nor jar found to unpack Keycloak (Debian: unzip).'
  const { code, output } = await outcomeOf(program as string, args, missing, { cwd: directory })
  if (code !== 0) throw new Error(`${program} could not unpack Keycloak: ${output.trim()}`)
}

async function build(home: string): Promise<void> {
  const args = keycloakCommand(home, ['start-dev', ...BUILD_OPTIONS])
  const options = { env: environmentWithoutKeycloak() }
  const { code, output } = await outcomeOf(javaProgram(), args, 'No Java found.', options)
  if (code !== BUILT_EXIT_CODE) throw new Error(`Keycloak's build ended with ${code}:\n${output}`)
}
