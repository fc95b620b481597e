import { pushTokenOf, shardOfGuid } from '#src/domain/device.ts';
import { withChecksum } from '#src/foundation/random-text.ts';
import { apps, tokens } from './fixtures.ts';
import { type Call, type FromContext, fromResponse } from './row.ts';

/** Who plays in the rows about devices, apps and admin tokens, besides `cast.ts`. `seed-devices.ts` makes them. */

/** In `bells`, each with a phone of their own and its token. Nobody else's rows look at them. */
const ownerNames = [
  'binder',
  'unbinder',
  'tagger',
  'namer',
  'badger',
  'reporter',
  /** Whoever an admin changes something for. */
  'ward',
  /** Whose devices are looked at and never changed. */
  'onlooker',
  /** Has logged in on the phone of the one who follows. */
  'heir',
  'former',
  /** Was deleted a moment ago; the phone is still there. */
  'ghost',
] as const;
export type Owner = (typeof ownerNames)[number];

const FIRST_OWNER_ID = 2_001n;

const token = (prefix: 'ca' | 'cu', name: string) => withChecksum(`${prefix}_${name}`.padEnd(46, '0'));
const pushTokenFor = (guid: string) =>
  pushTokenOf(shardOfGuid(apps.bells, guid), guid.replaceAll('-', '').padEnd(27, '0'));

interface OwnerFixture {
  readonly userId: bigint;
  readonly guid: string;
  readonly pushToken: string;
  readonly token: string;
}

/** `former`'s token was issued with the phone that is `heir`'s by now, and nobody has been told yet. */
export const owners = Object.fromEntries(
  ownerNames.map((name, i): [Owner, OwnerFixture] => {
    const guid = `${name}-phone`;
    const userId = FIRST_OWNER_ID + BigInt(i);
    return [name, { userId, guid, pushToken: pushTokenFor(guid), token: token('cu', `${name}Owner`) }];
  }),
) as Readonly<Record<Owner, OwnerFixture>>;

/** All that is known of `onlooker`'s phone. */
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
};
export const bindersTablet = { guid: 'binder-tablet', pushToken: pushTokenFor('binder-tablet') } as const;
/** What was `former`'s. */
export const inherited = { guid: owners.former.guid, pushToken: `${owners.former.pushToken}2` } as const;

export const deviceTokens = {
  /** Everything in `bells`, and all apps. */
  platform: token('ca', 'platform'),
  /** All apps and nothing else. */
  platformOnly: token('ca', 'platformOnly'),
} as const;

/** An app with an admin for each field that an app's settings have: what one row sets, no other row sees. */
export const settingFields = [
  'name',
  'token_days',
  'http_errors',
  'user_push',
  'registration',
  'country',
  'notify_per_second',
] as const;
export type SettingField = (typeof settingFields)[number];
export const settingApp = (field: SettingField): string => `setting-${field}`;
export const settingToken = (field: SettingField): string => token('ca', `setting${field.replaceAll('_', '')}`);

/** An app in which certificates are saved and deleted. */
export const certificateApp = { app: 'papers-app', token: token('ca', 'papers') } as const;

/** Makes an app of a row's own. Sent first, it answers the token of its admin. */
export const createAppCall = (app: string, settings: object = {}): Call => ({
  path: '/admin/app/create',
  token: deviceTokens.platform,
  body: { new_app_id: app, name: app, ...settings },
});
/** A call by the admin of the app that the first call before has made. */
export const inApp = (app: string, path: string, body?: unknown, more: Partial<Call> = {}): Call => ({
  app,
  path,
  token: fromResponse(0, 'admin_token'),
  ...(body !== undefined && { body }),
  ...more,
});

/** Makes somebody in `bells` or in an app of a row's own, and a login of theirs; the answers hold tokens. */
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
/** What makes a call be by the admin of a row's own app. */
export const adminOf = (app: string): { app: string; token: FromContext } => ({
  app,
  token: fromResponse(0, 'admin_token'),
});
