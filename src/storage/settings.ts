import { type Static, Type } from 'typebox';
import { secret } from '#src/foundation/settings.ts';
import type { CeilingDefaults } from './accounts/ceilings.ts';

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

const ceiling = (defaultValue: number, description: string) =>
  Type.Integer({ default: defaultValue, minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

/** The default ceilings. Every role reads them, and all processes need the same values. */
export const ceilingSettings = Type.Object({
  CARILLON_APP_NOTIFY_PER_SECOND_MAX: ceiling(
    10_000,
    'Maximum number of calls of `/push/notify` per second, and the same number of `/push/validate`. Each API process counts separately. 0 means no ceiling.',
  ),
  CARILLON_APP_OPEN_TASKS_MAX: ceiling(
    10_000_000,
    'Maximum number of tasks that are not finished, including scheduled tasks and tasks that wait in inboxes. 0 means no ceiling.',
  ),
  CARILLON_APP_USERS_MAX: ceiling(100_000_000, 'Maximum number of users. 0 means no ceiling.'),
  CARILLON_APP_DEVICES_MAX: ceiling(
    100_000_000,
    'Maximum number of devices, including those without a user, which are deleted after 30 days. 0 means no ceiling.',
  ),
  CARILLON_APP_STORED_BYTES_MAX: ceiling(
    1_000_000_000_000,
    'Maximum number of bytes of all stored messages with their audiences, and of inboxes with 200 bytes per notification. 0 means no ceiling.',
  ),
  CARILLON_APP_SESSIONS_MAX: ceiling(
    10_000_000,
    'Maximum number of devices that are connected, on all gateways together. 0 means no ceiling.',
  ),
  CARILLON_USAGE_COUNT_SECONDS: Type.Integer({
    default: 60,
    minimum: 1,
    maximum: 3_600,
    description:
      'Interval in seconds at which one of the workers counts the usage of all apps, and at which gateways exchange the numbers of their sessions. If a count takes longer than a fiftieth of this interval, the next count is later.',
  }),
});

/** Returns the ceilings of apps for which the operator has not set any. */
export const ceilingDefaultsOf = (settings: Static<typeof ceilingSettings>): CeilingDefaults => ({
  ceilings: {
    notifyPerSecond: settings.CARILLON_APP_NOTIFY_PER_SECOND_MAX,
    openTasks: settings.CARILLON_APP_OPEN_TASKS_MAX,
    users: settings.CARILLON_APP_USERS_MAX,
    devices: settings.CARILLON_APP_DEVICES_MAX,
    storedBytes: settings.CARILLON_APP_STORED_BYTES_MAX,
    sessions: settings.CARILLON_APP_SESSIONS_MAX,
  },
  countSeconds: settings.CARILLON_USAGE_COUNT_SECONDS,
});
