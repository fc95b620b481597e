import { Type } from 'typebox';
import { secret } from '#src/foundation/settings.ts';

export const storageSettings = Type.Object({
  CARILLON_DATABASE_URL: secret({
    description:
      'PostgreSQL URL of the home database. If `CARILLON_SHARD_DATABASES` is empty, the home database also contains all devices.',
  }),
  CARILLON_SHARD_DATABASES: secret({
    default: '',
    description:
      'Names and PostgreSQL URLs of the shard databases, such as `east=postgres://… west=postgres://…`. The first migration divides the devices evenly between these databases. If empty, all devices are in the home database. Do not remove or rename a database that contains devices.',
  }),
  CARILLON_DATABASE_ROLES: Type.String({
    default: 'carillon',
    pattern: '^[a-z_][a-z0-9_]{0,50}$',
    description:
      'Prefix of the PostgreSQL roles of the processes: `carillon` means `carillon_api`, `carillon_gateway` and `carillon_worker`. A migration gives each role only the rights that its process needs. Installations that share a PostgreSQL server need different prefixes. Used only by the migration.',
  }),
  CARILLON_DATABASE_QUERY_SECONDS_MAX: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 60,
    description:
      'Maximum duration of a PostgreSQL query, in seconds. A query that runs longer is cancelled, and its connection is closed.',
  }),
});
