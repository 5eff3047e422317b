import { type ErrorKind, Problem } from '../base/errors.ts'
import { httpErrors } from './errors.ts'

export const PROBLEM_TYPE = 'application/problem+json'

/** RFC 9457 body. What the problem does not carry cannot leak: no stack, no SQL, no token. */
export function problemBody(problem: Problem, instance: string, requestId: string): string {
  const { kind } = problem
  return JSON.stringify({
    type: documentationOf(kind),
    title: kind.title,
    status: kind.status,
    detail: problem.detail,
    instance,
    code: kind.code,
    requestId,
    ...problem.members,
  })
}

export function documentationOf(kind: ErrorKind): string {
  return `/docs/errors#${kind.code}`
}

/** The path alone: a query may carry personal data or a misplaced token. */
export function instanceOf(url: string | undefined): string {
  const path = (url ?? '/').split('?', 1)[0] as string
  return path.length > 256 ? `${path.slice(0, 256)}…` : path
}

/** Everything that is no decision of ours becomes the same closed answer. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  return httpErrors.INTERNAL_ERROR(
    'The request could not be served because of a fault on our side. Report the request id.',
  )
}
