import { Type } from 'typebox';
import { secret } from '#src/foundation/settings.ts';

export const storageSettings = Type.Object({
  CARILLON_DATABASE_URL: secret({
    description:
      'PostgreSQL URL of the home database. The home database also contains the shards, unless `CARILLON_SHARD_DATABASES` is set.',
  }),
  CARILLON_SHARD_DATABASES: secret({
    default: '',
    description:
      'PostgreSQL URLs of the 64 shards, such as `0-31=postgres://… 32-63=postgres://…`. If empty, all shards are in the home database.',
  }),
  CARILLON_DATABASE_QUERY_SECONDS_MAX: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 60,
    description:
      'Maximum duration of a PostgreSQL query, in seconds. A query that runs longer is cancelled, and its connection is closed.',
  }),
});
