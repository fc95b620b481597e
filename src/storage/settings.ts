import { Type } from 'typebox';
import { secret } from '#src/foundation/settings.ts';

export const storageSettings = Type.Object({
  CARILLON_DATABASE_URL: secret({
    description: 'PostgreSQL: the home database, and the shards too unless they have databases of their own.',
  }),
  CARILLON_SHARD_DATABASES: secret({
    default: '',
    description:
      'Databases of the 64 shards, as `0-31=postgres://… 32-63=postgres://…`. Empty: all are in the home database.',
  }),
  CARILLON_DATABASE_QUERY_SECONDS_MAX: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 60,
    description: 'A question to PostgreSQL that takes longer is given up, and its connection closed.',
  }),
});
