import { counter, histogram, SHORT_BUCKETS_SECONDS } from '#src/foundation/metrics.ts';

export const storageMetrics = {
  querySeconds: histogram(
    {
      name: 'carillon_database_query_seconds',
      help: 'Duration of PostgreSQL queries in seconds, by kind of database: `home` or `shards`.',
      troubleshooting:
        'High in all roles: check the disk and the CPU of PostgreSQL. High only in workers: usually a notification to many devices, which is harmless.',
      labels: ['database'],
    },
    SHORT_BUCKETS_SECONDS,
  ),
  errors: counter({
    name: 'carillon_database_errors_total',
    help: 'Failed PostgreSQL queries, by database and reason. `unavailable`: no connection. `busy`: a conflict with another query. `refused`: rejected because of its data. `failed`: any other error.',
    troubleshooting:
      '`unavailable`: check that PostgreSQL is running and accepts more connections. `failed`: read the log of PostgreSQL. Typical causes are a full disk and a missing migration.',
    labels: ['database', 'reason'],
  }),
} as const;
