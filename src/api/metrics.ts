import { counter, histogram, SHORT_BUCKETS_SECONDS } from '#src/foundation/metrics.ts';

export const apiMetrics = {
  accepted: counter({
    name: 'carillon_tasks_accepted_total',
    help: 'Notify calls that were answered with a task id, by lane; `repeated` ones had a request id that was used before.',
    troubleshooting:
      'None although callers call: look at `carillon_calls_refused_total`. Many repeated: a caller tries again too eagerly.',
    labels: ['lane', 'repeated'],
  }),
  refused: counter({
    name: 'carillon_calls_refused_total',
    help: 'Calls that were refused, by the problem that [problems.md](problems.md) explains.',
    troubleshooting:
      '`internal-error`: the log has `request-failed` with the cause. `service-unavailable`: PostgreSQL is away, full, or does not keep up. The rest is the callers’.',
    labels: ['problem'],
  }),
  acceptSeconds: histogram(
    {
      name: 'carillon_accept_seconds',
      help: 'From a notify call’s first bytes until its task is committed.',
      troubleshooting:
        'Slow: PostgreSQL’s disk, or passwords and images that are looked at in the same process; compare `carillon_database_query_seconds`.',
    },
    SHORT_BUCKETS_SECONDS,
  ),
} as const;
