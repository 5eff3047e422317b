import type { FastifyReply, FastifyRequest } from 'fastify'
import { inboundOf } from '../http/inbound.ts'
import type { Log } from '../http/kernel.ts'

/** Commands and refusals are told; reads that went well only when someone debugs. */
export function requestLogOf(log: Log) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const status = reply.statusCode
    const isQuiet = status < 400 && (request.method === 'GET' || request.method === 'HEAD')
    const level = status >= 500 ? 'error' : isQuiet ? 'debug' : 'info'
    log[level](
      {
        requestId: inboundOf(request.raw).requestId,
        method: request.method,
        route: request.matched?.path,
        operation: request.matched?.id,
        status,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    )
  }
}
