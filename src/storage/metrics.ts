import { counter, histogram, SHORT_BUCKETS_SECONDS } from '#src/foundation/metrics.ts';

export const storageMetrics = {
  querySeconds: histogram(
    {
      name: 'carillon_database_query_seconds',
      help: 'How long PostgreSQL takes to answer a question, by what it holds: `home` or `shards`.',
      troubleshooting:
        'Slow everywhere: its disk or its processors. Slow in workers alone: a large expansion, which is no harm.',
      labels: ['database'],
    },
    SHORT_BUCKETS_SECONDS,
  ),
  errors: counter({
    name: 'carillon_database_errors_total',
    help: 'Questions without an answer. `unavailable`: no connection. `busy`: it met another one. `refused`: on what was in it. `failed`: anything else.',
    troubleshooting:
      '`unavailable`: is PostgreSQL there, and are there connections left? `failed`: read its log; a full disk and a forgotten migration look like this.',
    labels: ['database', 'reason'],
  }),
} as const;
