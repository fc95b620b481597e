import { withChecksum } from '#src/foundation/random-text.ts';

/** Fixtures for the rows about users and groups, in addition to `fixtures.ts`. `seed-users.ts` stores them. */

/**
 * `open`: users can register themselves. `german`: users can register themselves, and mobile numbers default to
 * Germany.
 */
export const userApps = {
  open: 'open-app',
  german: 'german-app',
  /** No row creates or deletes users in this app, so that a complete list can be compared. */
  roll: 'roll-app',
  crowd: 'crowd-app',
  /** One app for each row that reads the audit log. */
  audited1: 'audited-1-app',
  audited2: 'audited-2-app',
  audited3: 'audited-3-app',
  audited4: 'audited-4-app',
} as const;
export type UserApp = keyof typeof userApps;

/** The admin token of each app, by the name of the app. */
export const userAppAdmins = Object.fromEntries(
  Object.entries(userApps).map(([name, app]) => [name, withChecksum(`ca_${app.replaceAll('-', '')}`.padEnd(46, '0'))]),
) as Readonly<Record<UserApp, string>>;

/** A user of `bells` whose names can be typed in several Unicode forms. */
export const nora = {
  userId: 21n,
  name: 'N\u00f6ra',
  mobile: '+8613700000021',
  email: 'n\u00f6ra@example.com',
  password: 'nora-password',
} as const;

/** A user of `bells` with a foreign mobile number. */
export const carl = { userId: 22n, name: 'Carl', mobile: '+4915123456789', password: 'carl-password' } as const;

/** IDs of the users and of the groups in `roll`, including IDs that JavaScript would round. */
export const listedIds = [1n, 2n, 3n, 9_007_199_254_740_993n, 9_223_372_036_854_775_807n] as const;
/** The group of `roll` that contains all its users. */
export const listedGroup = 2n;

/**
 * Number of users and number of groups in `crowd`, with IDs starting at 1. It is larger than the default page size. All
 * users are in group 1.
 */
export const PAGED_USERS = 102;
