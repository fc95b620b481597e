import { counter, histogram, SHORT_BUCKETS_SECONDS } from '#src/foundation/metrics.ts';

export const apiMetrics = {
  accepted: counter({
    name: 'carillon_tasks_accepted_total',
    help: 'Calls of `/push/notify` that returned a task ID, by lane. `repeated` is `true` if the idempotency key was used before.',
    troubleshooting:
      'No increase although backends send notifications: check `carillon_calls_refused_total`. Many calls with `repeated` `true`: a backend retries too often.',
    labels: ['lane', 'repeated'],
  }),
  refused: counter({
    name: 'carillon_calls_refused_total',
    help: 'Rejected requests, by error. [Error codes](errors.md) explains each error.',
    troubleshooting:
      '`internal-error`: the log event `request-failed` contains the cause. `service-unavailable`: PostgreSQL is unavailable, overloaded or out of disk space. Callers cause all other errors.',
    labels: ['problem'],
  }),
  requests: counter({
    name: 'carillon_requests_total',
    help: 'Requests by operation and outcome: `ok`, `rejected` (the caller must change the request or wait) or `failed`. The operation of an unknown path is `unknown`.',
    troubleshooting:
      '`failed`: the log events `request-failed` have the request IDs and causes. Many `rejected`: `carillon_calls_refused_total` has the errors.',
    labels: ['operation', 'outcome'],
  }),
  requestSeconds: histogram(
    {
      name: 'carillon_request_seconds',
      help: 'Time from the headers of a request until its response is sent, by operation, in seconds.',
      troubleshooting:
        'High for all operations: the process or PostgreSQL is overloaded. High for one operation: compare `carillon_database_query_seconds`.',
      labels: ['operation'],
    },
    SHORT_BUCKETS_SECONDS,
  ),
  acceptSeconds: histogram(
    {
      name: 'carillon_accept_seconds',
      help: 'Time from the first bytes of a `/push/notify` request until its task is committed, in seconds.',
      troubleshooting:
        'High: compare `carillon_database_query_seconds`. If that is high too, check the disk of PostgreSQL. If not, password hashing or image checks in the same process are the cause.',
    },
    SHORT_BUCKETS_SECONDS,
  ),
} as const;
