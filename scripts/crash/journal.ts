import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

/** A command that carries an Idempotency-Key; sent again it is the same command. */
export interface Command {
  readonly key: string
  readonly kind: 'create' | 'approve'
  readonly user: string
  readonly path: string
  readonly body: unknown
}

/** What the client was told, and may rely on from then on. */
export interface Acknowledged {
  readonly key: string
  readonly contractId: string
  readonly version: number
  readonly bodySha256: string
}

/** Everything sent and everything acknowledged, on the disk before the next step is taken. */
export interface Journal {
  sent(command: Command): void
  acknowledged(answer: Acknowledged): void
  close(): void
}

export interface Recorded {
  readonly commands: ReadonlyMap<string, Command>
  readonly acknowledged: ReadonlyMap<string, Acknowledged>
}

export function openJournal(file: string): Journal {
  const descriptor = openSync(file, 'a')
  function write(line: object): void {
    writeSync(descriptor, `${JSON.stringify(line)}\n`)
    fsyncSync(descriptor)
  }
  return {
    sent: (command) => write({ sent: command }),
    acknowledged: (answer) => write({ acknowledged: answer }),
    close: () => closeSync(descriptor),
  }
}

export function recordedIn(file: string): Recorded {
  const commands = new Map<string, Command>()
  const acknowledged = new Map<string, Acknowledged>()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue
    const entry = JSON.parse(line) as { sent?: Command; acknowledged?: Acknowledged }
    if (entry.sent) commands.set(entry.sent.key, entry.sent)
    if (entry.acknowledged) acknowledged.set(entry.acknowledged.key, entry.acknowledged)
  }
  return { commands, acknowledged }
}
