import { bucketOfGuid } from '#src/domain/bucket.ts';
import { pushTokenOf } from '#src/domain/device.ts';
import { withChecksum } from '#src/foundation/random-text.ts';

/** Fixtures for the rows. `seed-fixtures.ts` stores them in the databases. */

/** Nearly every row uses `bells`. The names of the other apps state how they differ from `bells`. */
export const apps = {
  bells: 'bells',
  other: 'other-app',
  always200: 'always200-app',
  week: 'week-app',
  pushNone: 'push-none-app',
  pushAny: 'push-any-app',
  disabled: 'disabled-app',
} as const;

export const users = {
  ann: {
    userId: 7n,
    name: 'ann',
    mobile: '+8613800000007',
    email: 'ann@example.com',
    password: ' Ann’s pass word ',
  },
  bob: { userId: 8n, name: 'bob', password: 'bob-password' },
  /** An ID that JavaScript would round. */
  last: { userId: 9_223_372_036_854_775_807n, name: 'last', password: 'last-password' },
  long: { userId: 11n, name: `n${'é'.repeat(255)}`, password: `p${'é'.repeat(255)}` },
  spaces: { userId: 12n, name: 'spaces', mobile: '+8613800000012', password: '   ' },
  han: { userId: 13n, name: '安娜', password: 'han-password' },
  disabled: { userId: 14n, name: 'disabled', password: 'disabled-password' },
  /** A user without a password. */
  passwordless: { userId: 15n, name: 'passwordless', password: null },
} as const;

/** The only user of each other app, with the same ID as `ann` in `bells`. */
export const una = { userId: 7n, name: 'una', password: 'una-password' } as const;
export const NOBODY = 4_611_686_018_427_387_904n;

export const groups = { choir: 3n, band: 4n, last: 9_223_372_036_854_775_807n } as const;
export const NO_GROUP = 999n;

const adminToken = (name: string) => withChecksum(`ca_${name}`.padEnd(46, '0'));
const userToken = (name: string) => withChecksum(`cu_${name}`.padEnd(46, '0'));

export const tokens = {
  admin: adminToken('admin'),
  push: adminToken('push'),
  secrets: adminToken('secrets'),
  manage: adminToken('manage'),
  scopeless: adminToken('scopeless'),
  adminExpired: adminToken('adminExpired'),
  adminRevoked: adminToken('adminRevoked'),
  adminLasting: adminToken('adminLasting'),
  adminUnknown: adminToken('adminUnknown'),
  otherAdmin: adminToken('otherAdmin'),
  always200Admin: adminToken('always200Admin'),
  /** The tokens of `ann` and `bob` were issued for a device. */
  ann: userToken('ann'),
  bob: userToken('bob'),
  annWithoutDevice: userToken('annWithoutDevice'),
  annExpired: userToken('annExpired'),
  last: userToken('last'),
  disabled: userToken('disabled'),
  userUnknown: userToken('userUnknown'),
  otherUser: userToken('otherUser'),
  always200User: userToken('always200User'),
  pushNoneUser: userToken('pushNoneUser'),
  pushAnyUser: userToken('pushAnyUser'),
  /** Each of these tokens has a separate device, so that rows can check the data that is stored for the device. */
  binder1: userToken('binder1'),
  binder2: userToken('binder2'),
  binder3: userToken('binder3'),
  binder4: userToken('binder4'),
  binder5: userToken('binder5'),
} as const;

/** Returns a device. Each name in `devices` is the name of the token that was issued for the device. */
const deviceOf = (appId: string, guid: string) => ({
  appId,
  guid,
  pushToken: pushTokenOf(bucketOfGuid(appId, guid), guid.replaceAll('-', '').padEnd(27, '0')),
});
export const devices = {
  ann: deviceOf(apps.bells, 'anns-phone'),
  annsTablet: deviceOf(apps.bells, 'anns-tablet'),
  bob: deviceOf(apps.bells, 'bobs-phone'),
  pushNoneUser: deviceOf(apps.pushNone, 'unas-phone'),
  binder1: deviceOf(apps.bells, 'binder-1'),
  binder2: deviceOf(apps.bells, 'binder-2'),
  binder3: deviceOf(apps.bells, 'binder-3'),
  binder4: deviceOf(apps.bells, 'binder-4'),
  binder5: deviceOf(apps.bells, 'binder-5'),
} as const;

/** Credentials of `bells` besides those for APNs, all for production. `huawei` also has credentials for development. */
export const certificates = [
  'huawei',
  'xiaomi',
  'flyme',
  'vivo',
  'oppo',
  'fcm',
  'honor',
  'harmony',
  'webpush',
] as const;
