/** What the catalogue knows about one error code. Documentation, OpenAPI and types come from it. */
export interface ErrorSpec {
  readonly status: number
  readonly title: string
  readonly when: string
}

export interface FieldFault {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

/** Members that help the client beyond the RFC 9457 ones, e.g. `requiredPermission`. */
export type ProblemMembers = Readonly<Record<string, unknown>> & {
  readonly errors?: readonly FieldFault[]
}

/** A decision against a request, as a value: cheap enough to compute for every action of a list. */
export interface Refusal {
  readonly kind: ErrorKind
  readonly detail: string
  readonly members?: ProblemMembers | undefined
}

/** A refusal on its way to the client: it becomes problem+json, never a 500. */
export class Problem extends Error {
  readonly kind: ErrorKind
  readonly detail: string
  readonly members: ProblemMembers
  readonly headers: Readonly<Record<string, string>>

  constructor(
    kind: ErrorKind,
    detail: string,
    members: ProblemMembers = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail)
    this.name = 'Problem'
    this.kind = kind
    this.detail = detail
    this.members = members
    this.headers = headers
  }

  get code(): string {
    return this.kind.code
  }

  get status(): number {
    return this.kind.status
  }
}

/** Calling a kind makes the problem: `accessErrors.FOUR_EYES_SAME_USER('…', { preparedBy })`. */
export interface ErrorKind<Code extends string = string> extends ErrorSpec {
  (detail: string, members?: ProblemMembers, headers?: Readonly<Record<string, string>>): Problem
  readonly code: Code
  refusal(detail: string, members?: ProblemMembers): Refusal
}

export function defineErrors<const Specs extends Readonly<Record<string, ErrorSpec>>>(
  specs: Specs,
): { readonly [Code in keyof Specs & string]: ErrorKind<Code> } {
  const kinds: Record<string, ErrorKind> = {}
  for (const [code, spec] of Object.entries(specs)) {
    const make = (
      detail: string,
      members?: ProblemMembers,
      headers?: Readonly<Record<string, string>>,
    ): Problem => new Problem(kind, detail, members, headers)
    const refusal = (detail: string, members?: ProblemMembers): Refusal => ({
      kind,
      detail,
      members,
    })
    const kind: ErrorKind = Object.assign(make, { code, refusal, ...spec })
    kinds[code] = kind
  }
  return kinds as { readonly [Code in keyof Specs & string]: ErrorKind<Code> }
}

/** For `found ?? fail(…)`. */
export function fail(problem: Problem): never {
  throw problem
}

export function requireNone(refusal: Refusal | undefined): void {
  if (refusal !== undefined) throw new Problem(refusal.kind, refusal.detail, refusal.members)
}
