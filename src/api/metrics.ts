import { counter, histogram, SHORT_BUCKETS_SECONDS } from '#src/foundation/metrics.ts';

export const apiMetrics = {
  accepted: counter({
    name: 'carillon_tasks_accepted_total',
    help: 'Notify requests that returned a task ID, by lane; `repeated` is true if the idempotency key was used before.',
    troubleshooting:
      'None although notifications are sent: check `carillon_calls_refused_total`. Many repeated: a caller retries too often.',
    labels: ['lane', 'repeated'],
  }),
  refused: counter({
    name: 'carillon_calls_refused_total',
    help: 'Rejected requests, by error; see [Error codes](errors.md) for each error.',
    troubleshooting:
      '`internal-error`: the log event `request-failed` has the cause. `service-unavailable`: PostgreSQL is unavailable, out of disk space or overloaded. All other errors are caused by callers.',
    labels: ['problem'],
  }),
  acceptSeconds: histogram(
    {
      name: 'carillon_accept_seconds',
      help: 'Time from the first bytes of a notify request until its task is committed.',
      troubleshooting:
        'Slow: PostgreSQL’s disk, or password hashing and image checks in the same process; compare `carillon_database_query_seconds`.',
    },
    SHORT_BUCKETS_SECONDS,
  ),
} as const;
