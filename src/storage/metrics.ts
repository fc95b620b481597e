import { counter, histogram, SHORT_BUCKETS_SECONDS } from '#src/foundation/metrics.ts';

export const storageMetrics = {
  querySeconds: histogram(
    {
      name: 'carillon_database_query_seconds',
      help: 'Duration of PostgreSQL queries, by the kind of database: `home` or `shards`.',
      troubleshooting:
        'Slow in every role: check the disk and CPU of PostgreSQL. Slow only in workers: a large expansion, which is harmless.',
      labels: ['database'],
    },
    SHORT_BUCKETS_SECONDS,
  ),
  errors: counter({
    name: 'carillon_database_errors_total',
    help: 'Failed PostgreSQL queries. `unavailable`: no connection. `busy`: a conflict with another query. `refused`: rejected because of its data. `failed`: any other error.',
    troubleshooting:
      '`unavailable`: check that PostgreSQL is running and has connections left. `failed`: read the PostgreSQL log; typical causes are a full disk and a missing migration.',
    labels: ['database', 'reason'],
  }),
} as const;
