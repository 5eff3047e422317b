import {
  type Bearer,
  type BearerOptions,
  type BearerRefusal,
  createBearer,
} from '../src/access/bearer/bearer.ts'
import type { Caller } from '../src/access/caller.ts'
import { Problem } from '../src/base/errors.ts'
import { TEST_AUDIENCE, type TestIssuer } from './issuer.ts'

const KNOWN: ReadonlySet<string> = new Set(['contract:read', 'contract:approve', 'party:create'])

/** A bearer against the test issuer, with what it logged and recorded. */
export interface TestBearer extends Bearer {
  readonly logged: string[]
  readonly refusals: BearerRefusal[]
}

export function bearerFor(
  issuer: TestIssuer,
  options: Partial<BearerOptions> & Pick<BearerOptions, 'clock'>,
): TestBearer {
  const logged: string[] = []
  const refusals: BearerRefusal[] = []
  const note = (members: object, text: string): void => {
    logged.push(`${text} ${JSON.stringify(members)}`)
  }
  const bearer = createBearer({
    issuer: issuer.issuer,
    audience: TEST_AUDIENCE,
    maxTokenLifeSeconds: 86_400,
    isKnown: (code) => KNOWN.has(code),
    log: { info: note, warn: note, error: note },
    onSecurityEvent: (refusal) => refusals.push(refusal),
    ...options,
  })
  return { ...bearer, logged, refusals }
}

/** The caller, or the problem that refused it; anything else that is thrown is a fault. */
export async function answerOf(bearer: Bearer, token: string): Promise<Caller | Problem> {
  try {
    return await bearer.identify(token)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

export async function codeOf(bearer: Bearer, token: string): Promise<string> {
  const answer = await answerOf(bearer, token)
  return answer instanceof Problem ? answer.code : 'ACCEPTED'
}
