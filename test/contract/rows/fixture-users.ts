import { withChecksum } from '#src/foundation/random-text.ts';

/** Who plays in the rows about people and groups, besides `cast.ts`. `seed-people.ts` puts them into the databases. */

/** `open`: people may register themselves. `german`: they may too, and numbers are dialled as in Germany. */
export const userApps = {
  open: 'open-app',
  german: 'german-app',
  /** Nobody is made here or deleted by a row, so that a list can be told whole. */
  roll: 'roll-app',
  crowd: 'crowd-app',
  /** One for each row that reads what was recorded. */
  audited1: 'audited-1-app',
  audited2: 'audited-2-app',
  audited3: 'audited-3-app',
  audited4: 'audited-4-app',
} as const;
export type UserApp = keyof typeof userApps;

/** The admin of each of them; the token is named like the app. */
export const userAppAdmins = Object.fromEntries(
  Object.entries(userApps).map(([name, app]) => [name, withChecksum(`ca_${app.replaceAll('-', '')}`.padEnd(46, '0'))]),
) as Readonly<Record<UserApp, string>>;

/** In `bells`. Whose names could be typed in many ways. */
export const nora = {
  userId: 21n,
  name: 'N\u00f6ra',
  mobile: '+8613700000021',
  email: 'n\u00f6ra@example.com',
  password: 'nora-password',
} as const;

/** In `bells`, with a number from elsewhere. */
export const carl = { userId: 22n, name: 'Carl', mobile: '+4915123456789', password: 'carl-password' } as const;

/** The people of `roll`, and its groups: the IDs that JavaScript would round too. */
export const listedIds = [1n, 2n, 3n, 9_007_199_254_740_993n, 9_223_372_036_854_775_807n] as const;
/** The group of `roll` to which they all belong. */
export const listedGroup = 2n;

/** `crowd` has so many people and groups, 1 and up: more than a page by default. The people are all in group 1. */
export const PAGED_USERS = 102;
