import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { BearerState } from '../access/bearer/bearer.ts'
import type { Db } from '../storage/tx.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export interface Metrics {
  readonly registry: Registry
  answered(request: FastifyRequest, reply: FastifyReply): void
  refused(code: string): void
}

export interface Measured {
  readonly db: Db
  readonly bearerState: (() => BearerState) | undefined
}

/** Names follow the OpenTelemetry conventions where one exists. */
export function metricsOf({ db, bearerState }: Measured): Metrics {
  const registry = new Registry()
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time to answer a request, by route and status.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'] as const,
    buckets: SECONDS,
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'tfs_security_refusals_total',
    help: 'Requests refused before the caller was known, by code.',
    labelNames: ['code'] as const,
    registers: [registry],
  })
  poolGauge(registry, db)
  if (bearerState) bearerGauges(registry, bearerState)
  return {
    registry: Registry.merge([ofProcess(), registry]),
    answered(request, reply) {
      // The pattern, never the path as sent: ids and guesses of strangers are no labels.
      const route = request.routeOptions.url ?? 'unmatched'
      duration
        .labels(request.method, route, String(reply.statusCode))
        .observe(reply.elapsedTime / 1000)
    },
    refused(code) {
      refusals.inc({ code })
    },
  }
}

let processMetrics: Registry | undefined

/** Memory, CPU, event loop, garbage collection: measured once per process, by listeners that stay. */
function ofProcess(): Registry {
  if (processMetrics === undefined) {
    processMetrics = new Registry()
    collectDefaultMetrics({ register: processMetrics })
  }
  return processMetrics
}

function poolGauge(registry: Registry, db: Db): void {
  new Gauge({
    name: 'db_client_connection_count',
    help: 'Database connections by state, and work that waits for one.',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      const { size, busy, waiting } = db.pool()
      this.set({ state: 'used' }, busy)
      this.set({ state: 'idle' }, Math.max(0, size - busy))
      this.set({ state: 'waiting' }, waiting)
    },
  })
}

function bearerGauges(registry: Registry, state: () => BearerState): void {
  const gauge = (name: string, help: string, value: (now: BearerState) => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value(state()))
      },
    })
  }
  gauge(
    'tfs_identity_keys',
    'Signing keys of the identity provider that are known.',
    (now) => now.keyCount,
  )
  gauge(
    'tfs_identity_keys_age_seconds',
    'Time since the keys were last fetched; -1 before the first time.',
    (now) => now.secondsSinceSuccess ?? -1,
  )
  gauge('tfs_token_cache_entries', 'Verified tokens that are remembered.', (now) => now.cacheSize)
  const counter = (name: string, help: string, value: (now: BearerState) => number): void => {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(value(state()))
      },
    })
  }
  counter(
    'tfs_token_cache_hits_total',
    'Tokens found among the remembered ones.',
    (now) => now.hits,
  )
  counter('tfs_token_cache_misses_total', 'Tokens that had to be verified.', (now) => now.misses)
}
