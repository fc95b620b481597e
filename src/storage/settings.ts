import { Type } from 'typebox';
import { secret } from '#src/foundation/settings.ts';

export const storageSettings = Type.Object({
  CARILLON_DATABASE_URL: secret({
    description:
      'PostgreSQL URL of the home database. It also contains the shards unless `CARILLON_SHARD_DATABASES` is set.',
  }),
  CARILLON_SHARD_DATABASES: secret({
    default: '',
    description:
      'Databases of the 64 shards, as `0-31=postgres://… 32-63=postgres://…`. Empty: all shards are in the home database.',
  }),
  CARILLON_DATABASE_QUERY_SECONDS_MAX: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 60,
    description:
      'Maximum duration of a PostgreSQL query, in seconds. Queries that run longer are cancelled, and their connection is closed.',
  }),
});
