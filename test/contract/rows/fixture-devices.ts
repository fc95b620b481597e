import { bucketOfGuid } from '#src/domain/bucket.ts';
import { pushTokenOf } from '#src/domain/device.ts';
import { withChecksum } from '#src/foundation/random-text.ts';
import { apps, tokens } from './fixtures.ts';
import { type Call, type FromContext, fromResponse } from './row.ts';

/**
 * Fixtures for the rows about devices, apps and admin tokens, in addition to `fixtures.ts`. `seed-devices.ts` stores
 * them.
 */

/**
 * Users of `bells`, each with a device and an access token. Separate users prevent interference between rows about
 * different operations.
 */
const ownerNames = [
  'binder',
  'unbinder',
  'tagger',
  'namer',
  'badger',
  'reporter',
  /** An admin changes the devices of this user. */
  'ward',
  /** The devices of this user are read and never changed. */
  'onlooker',
  /** This user has logged in on the phone of `former`, who had logged out. */
  'heir',
  'former',
  /** A deleted user whose device still exists. */
  'ghost',
] as const;
export type Owner = (typeof ownerNames)[number];

const FIRST_OWNER_ID = 2_001n;

const token = (prefix: 'ca' | 'cu', name: string) => withChecksum(`${prefix}_${name}`.padEnd(46, '0'));
const pushTokenFor = (guid: string) =>
  pushTokenOf(bucketOfGuid(apps.bells, guid), guid.replaceAll('-', '').padEnd(27, '0'));

interface OwnerFixture {
  readonly userId: bigint;
  readonly guid: string;
  readonly pushToken: string;
  readonly token: string;
}

/** The device of `former` was logged out, but the token of that login has not been revoked yet. */
export const owners = Object.fromEntries(
  ownerNames.map((name, i): [Owner, OwnerFixture] => {
    const guid = `${name}-phone`;
    const userId = FIRST_OWNER_ID + BigInt(i);
    return [name, { userId, guid, pushToken: pushTokenFor(guid), token: token('cu', `${name}Owner`) }];
  }),
) as Readonly<Record<Owner, OwnerFixture>>;

/** The complete record of `onlooker`'s device. */
export const onlookerRecord = {
  push_token: owners.onlooker.pushToken,
  device_guid: owners.onlooker.guid,
  user_id: owners.onlooker.userId,
  alias: null,
  tags: [],
  bindings: [],
  online: false,
  seen_on: /^\d{4}-\d\d-\d\d$/,
  registered_at: /^\d{13}$/,
  state: null,
};
export const bindersTablet = { guid: 'binder-tablet', pushToken: pushTokenFor('binder-tablet') } as const;
/** The device of `heir` on the phone of `former`. */
export const inherited = { guid: owners.former.guid, pushToken: `${owners.former.pushToken}2` } as const;

export const deviceTokens = {
  /** Has all scopes in `bells`, and `platform` for all apps. */
  platform: token('ca', 'platform'),
  /** Has only the `platform` scope. */
  platformOnly: token('ca', 'platformOnly'),
} as const;

/**
 * The rows about each setting use a separate app and admin token, so that rows about different settings do not affect
 * each other.
 */
export const settingFields = [
  'name',
  'token_days',
  'http_errors',
  'user_push',
  'registration',
  'country',
  'notify_per_second',
  'extra_counters',
  'reject_typos',
  'approval_above',
  'cors_origins',
] as const;
export type SettingField = (typeof settingFields)[number];
export const settingApp = (field: SettingField): string => `setting-${field}`;
export const settingToken = (field: SettingField): string => token('ca', `setting${field.replaceAll('_', '')}`);

/** An app in which credentials are saved and deleted. */
export const certificateApp = { app: 'papers-app', token: token('ca', 'papers') } as const;

/** Creates an app for one row. Sent as the first call, it returns the admin token of the app. */
export const createAppCall = (app: string, settings: object = {}): Call => ({
  path: '/admin/app/create',
  token: deviceTokens.platform,
  body: { new_app_id: app, name: app, ...settings },
});
/** Returns a call by the admin of the app that the first call created. */
export const inApp = (app: string, path: string, body?: unknown, more: Partial<Call> = {}): Call => ({
  app,
  path,
  token: fromResponse(0, 'admin_token'),
  ...(body !== undefined && { body }),
  ...more,
});

/** Creates a user in `bells` or in the app of a row. `logIn` requests an access token for the user. */
export const addUser = (userId: bigint | number, of: Partial<Call> = {}): Call => ({
  path: '/admin/user/create',
  token: tokens.admin,
  body: { user_id: userId },
  ...of,
});
export const logIn = (userId: bigint | number, guid: string, of: Partial<Call> = {}): Call => ({
  path: '/admin/user/token',
  token: tokens.admin,
  body: { user_id: userId, device_guid: guid },
  ...of,
});
/** Returns the app and token of a call by the admin of a row's app. */
export const adminOf = (app: string): { app: string; token: FromContext } => ({
  app,
  token: fromResponse(0, 'admin_token'),
});
