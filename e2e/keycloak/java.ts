import { outcomeOf } from './command.ts'

const OLDEST_JAVA = 17
const FORK_JOIN = 'java.util.concurrent.ForkJoinPool.common.threadFactory'

/** Keycloak's own bounds; the first compiler and the plain collector start faster on few cores. */
export const JVM_OPTIONS = [
  '-Xms64m',
  '-Xmx512m',
  '-XX:MetaspaceSize=96M',
  '-XX:MaxMetaspaceSize=256m',
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-XX:+ExitOnOutOfMemoryError',
  '-Dfile.encoding=UTF-8',
  '-Duser.language=en',
  '-Duser.country=US',
  '-Djava.util.logging.manager=org.jboss.logmanager.LogManager',
  `-D${FORK_JOIN}=io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory`,
  '--add-opens=java.base/java.util=ALL-UNNAMED',
  '--add-opens=java.base/java.util.concurrent=ALL-UNNAMED',
  '--add-opens=java.base/java.security=ALL-UNNAMED',
  '--add-opens=java.base/java.lang=ALL-UNNAMED',
  '--enable-native-access=ALL-UNNAMED',
]

export function javaProgram(env = process.env): string {
  const home = env['JAVA_HOME']
  return home ? `${home}/bin/java` : 'java'
}

export async function requireJava(): Promise<void> {
  const wanted = `Keycloak needs Java ${OLDEST_JAVA} or newer (Debian: openjdk-17-jre-headless).`
  const { output } = await outcomeOf(javaProgram(), ['-version'], `No Java found. ${wanted}`)
  const major = Number(/version "(?:1\.)?(\d+)/.exec(output)?.[1])
  if (!(major >= OLDEST_JAVA)) {
    throw new Error(`Java is too old (${output.split('\n')[0]}). ${wanted}`)
  }
}

/** What `bin/kc.sh` runs, without the shell in between: the process id is Java's own. */
export function keycloakCommand(home: string, args: readonly string[]): string[] {
  return [
    ...JVM_OPTIONS,
    `-Dkc.home.dir=${home}`,
    '-cp',
    `${home}/lib/quarkus-run.jar`,
    'io.quarkus.bootstrap.runner.QuarkusEntryPoint',
    ...args,
  ]
}

/** Settings of another Keycloak on this machine stay outside: some would end up in the build. */
export function environmentWithoutKeycloak(env = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('KC_')))
}
