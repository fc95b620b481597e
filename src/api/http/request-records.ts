import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '#src/foundation/log.ts';
import { apiMetrics } from '../metrics.ts';

export const REQUEST_ID_HEADER = 'x-request-id';

/** IDs of a caller or a proxy that are safe in headers and logs. */
const SAFE_REQUEST_ID = /^[\w.:-]{1,64}$/;

/** Returns the ID that the caller or a proxy gave to a request, or a new one. */
export function toRequestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && SAFE_REQUEST_ID.test(header) ? header : randomUUID();
}

/**
 * `rejected`: the caller received an error that it can correct. `failed`: an internal error, or the service was
 * unavailable.
 */
export type Outcome = 'ok' | 'rejected' | 'failed';

declare module 'fastify' {
  interface FastifyRequest {
    receivedMs: number;
    outcome: Outcome;
  }
}

/** Adds the request ID to every response, and records the duration and the outcome of every request. */
export function addRequestRecords(server: FastifyInstance, log: Log): void {
  server.decorateRequest('receivedMs', 0);
  server.decorateRequest('outcome', 'ok');
  server.addHook('onRequest', async (request, reply) => {
    request.receivedMs = performance.now();
    void reply.header(REQUEST_ID_HEADER, request.id);
  });
  server.addHook('onResponse', async (request, reply) => {
    const operation = operationOf(request);
    const outcome = request.outcome === 'ok' ? outcomeOfStatus(reply.statusCode) : request.outcome;
    apiMetrics.requests.inc({ operation, outcome });
    apiMetrics.requestSeconds.observeSince(request.receivedMs, operation);
    log.debug('request-handled', {
      ...{ requestId: request.id, appId: request.app?.appId, operation, outcome, status: reply.statusCode },
      milliseconds: Math.round(performance.now() - request.receivedMs),
    });
  });
}

/** Returns the path of a known route, so that callers cannot add values to the label. */
const operationOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? 'unknown';

export const outcomeOfStatus = (status: number): Outcome =>
  status >= 500 ? 'failed' : status >= 400 ? 'rejected' : 'ok';
