import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessErrors } from '../access/errors.ts'
import type { ErrorKind, Problem } from '../base/errors.ts'
import { recordAudit } from '../storage/audit.ts'
import type { Scope } from '../storage/scope.ts'
import { auditActorOf } from './audit-actor.ts'
import { httpErrors } from './errors.ts'
import { inboundOf } from './inbound.ts'
import type { Kernel } from './kernel.ts'
import { BODY_LIMIT_BYTES } from './limits.ts'
import { instanceOf, PROBLEM_TYPE, problemBody, problemOf } from './problem.ts'

/** Refusals of an identified caller that the audit trail keeps. An unknown and a foreign id look alike. */
const AUDITED: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  accessErrors.FOUR_EYES_SAME_USER,
  accessErrors.HUMAN_APPROVER_REQUIRED,
  accessErrors.IMPERSONATION_READ_ONLY,
  accessErrors.PARTNER_REQUIRED,
  accessErrors.PARTY_REQUIRED,
  accessErrors.PERMISSION_MISSING,
  httpErrors.NOT_FOUND,
])

export function isAudited({ kind }: Problem): boolean {
  return AUDITED.has(kind)
}

const LONGEST_ITEM_ID = 128
/** Writing down a refusal shows no row to anyone. */
const NO_ROWS: Scope = { rows: 'NONE' }

/** What the framework refuses, in our words. */
const FRAMEWORK: Readonly<Record<string, () => Problem>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    httpErrors.PAYLOAD_TOO_LARGE(`A body has at most ${BODY_LIMIT_BYTES / 1024} KiB.`),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    httpErrors.UNSUPPORTED_MEDIA_TYPE(
      'Send the body as JSON, with Content-Type: application/json.',
    ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    httpErrors.REQUEST_MALFORMED('The body does not have the length that Content-Length says.'),
  FST_ERR_BAD_URL: () =>
    httpErrors.REQUEST_MALFORMED('The path is not valid: a %-escape is broken.'),
  FST_ERR_ASYNC_CONSTRAINT: () => httpErrors.REQUEST_MALFORMED('The request cannot be routed.'),
}

/** The other side ended the connection in the middle of its body: nobody's fault here. */
const HUNG_UP = 'ECONNRESET'

export interface StrangerRefusal {
  readonly problem: Problem
  readonly requestId: string
  readonly method: string
  readonly url: string | undefined
  readonly remoteAddress: string
}

const STRANGER_STATUSES: ReadonlySet<number> = new Set([400, 401, 403])

/** A token whose key cannot be had is refused like any other bad one. */
function isSecurityEvent({ status, kind }: Problem): boolean {
  return STRANGER_STATUSES.has(status) || kind === accessErrors.IDENTITY_PROVIDER_UNAVAILABLE
}

export function answerError(kernel: Kernel, onStranger: (refusal: StrangerRefusal) => void) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const problem = knownProblem(error, request)
    const { requestId } = inboundOf(request.raw)
    if (problem.status === 500) {
      kernel.log.error({ requestId, route: request.matched?.id, err: error }, 'fault')
    }
    if (request.caller === null && isSecurityEvent(problem)) {
      const { method, ip: remoteAddress } = request
      onStranger({ problem, requestId, method, url: request.raw.url, remoteAddress })
    }
    await recordRefusal(kernel, problem, request, requestId)
    return reply
      .code(problem.status)
      .headers({ 'cache-control': 'no-store', ...problem.headers })
      .type(PROBLEM_TYPE)
      .send(problemBody(problem, instanceOf(request.raw.url), requestId))
  }
}

function knownProblem(error: unknown, request: FastifyRequest): Problem {
  const code = (error as { code?: unknown } | null)?.code
  if (code === HUNG_UP && !request.raw.complete) {
    return httpErrors.REQUEST_MALFORMED('The connection ended before the body was complete.')
  }
  const known = typeof code === 'string' ? FRAMEWORK[code] : undefined
  return known?.() ?? problemOf(error)
}

async function recordRefusal(
  kernel: Kernel,
  problem: Problem,
  request: FastifyRequest,
  requestId: string,
): Promise<void> {
  const { caller, matched: route } = request
  if (caller === null || route === null || !isAudited(problem)) return
  const id = itemIdIn(request)
  try {
    await kernel.db.write(NO_ROWS, (tx) =>
      recordAudit(tx, auditActorOf(caller, requestId, request.ip), {
        action: route.id,
        refusedWith: problem.code,
        ...(id !== undefined && { item: { kind: itemKindOf(route.path), id } }),
      }),
    )
  } catch (failure) {
    // The refusal stands either way; that it could not be written down must be seen.
    kernel.log.error({ requestId, err: failure }, 'a refusal could not be recorded')
  }
}

/** As sent, but for what a database cannot keep. */
function itemIdIn({ params }: FastifyRequest): string | undefined {
  const [id] = Object.values((params ?? {}) as Record<string, string>)
  return id?.slice(0, LONGEST_ITEM_ID).replaceAll('\0', '\ufffd').toWellFormed()
}

const KINDS: Readonly<Record<string, string>> = {
  contracts: 'contract',
  parties: 'party',
  partners: 'partner',
  reports: 'report',
}

function itemKindOf(path: string): string {
  const segment = path.replace(/^\/my\//, '/').split('/')[1] ?? ''
  return KINDS[segment] ?? segment
}
