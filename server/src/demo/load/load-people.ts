import { type Caller, type PersonRef, personRefOf } from '../../access/caller.ts'
import { personKeysOf } from '../../access/four-eyes.ts'

/** Someone who is said to have worked on loaded contracts. */
export interface LoadPerson {
  readonly caller: Caller
  readonly ref: PersonRef
  readonly keys: readonly string[]
}

const [PREPARERS, DECIDERS] = [12, 6]

function personNamed(username: string): LoadPerson {
  const caller: Caller = {
    subject: `tfs:load#${username}`,
    username,
    human: true,
    permissions: new Set(),
    mode: 'token',
  }
  return { caller, ref: personRefOf(caller), keys: personKeysOf(caller) }
}

const team = (name: string, size: number): readonly LoadPerson[] =>
  Array.from({ length: size }, (_, index) => personNamed(`load-${name}-${index + 1}`))

/** Two teams that share nobody: whoever prepares never decides. */
export const loadPreparers: readonly LoadPerson[] = team('preparer', PREPARERS)
export const loadDeciders: readonly LoadPerson[] = team('decider', DECIDERS)

/** Who really brought the rows in, as the audit trail says. */
export const loader: LoadPerson = personNamed('tfs-seed')
