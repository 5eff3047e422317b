import type { FastifyReply, FastifyRequest } from 'fastify'
import { inboundOf } from '../http/inbound.ts'
import type { Log } from '../http/kernel.ts'

const FAULT = 500

/** Commands and refusals are told; reads that went well only when someone debugs. */
export function requestLogOf(log: Log) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    log[levelOf(request, reply.statusCode)](
      {
        requestId: inboundOf(request.raw).requestId,
        method: request.method,
        route: request.matched?.path,
        operation: request.matched?.id,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    )
  }
}

function levelOf({ method, caller }: FastifyRequest, status: number): keyof Log {
  if (status === FAULT) return 'error'
  // Strangers have the security log, which is bounded: they must not fill the disk here.
  if (caller === null) return 'debug'
  if (status > FAULT) return 'warn'
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && status < 400 ? 'debug' : 'info'
}
