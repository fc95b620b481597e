import { refusedTexts } from './admin-device.ts';
import { adminCallerRows } from './admin-scopes.ts';
import { ruleOf, theirPushToken, theirToken } from './device-calls.ts';
import { addUser, adminOf, createAppCall, deviceTokens, inApp, logIn, owners } from './fixture-devices.ts';
import { devices, tokens } from './fixtures.ts';
import { blanks, type Call, type Expect, fieldRows, fromResponse, ok, type Row, refused } from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

const path = '/admin/device/delete';
const FIND = '/admin/device/find';
const { onlooker, former } = owners;

const erase = (body: unknown): Call => ({ path, token: tokens.manage, body });
const nothing: Expect = { code: 200, rows: [] };
const exactlyOne = refused(10002, /exactly one of push_token, device_guid/);

/** Creates a new user with a device, for a call that deletes the device. */
const fresh = (userId: number): readonly Call[] => [addUser(userId), logIn(userId, `erased-of-${userId}`)];

const fieldsRows: readonly Row[] = [
  ...bodyRows(fresh(3_131), erase({ push_token: theirPushToken })),
  ...fieldRows(
    {
      path,
      token: tokens.manage,
      body: {},
      before: fresh(3_132),
      taken: () => ok,
      blank: () => exactlyOne,
      blankForms: blanks,
    },
    {
      name: 'push_token',
      takes: { 'the push token of a device with a logged-in user': [theirPushToken] },
      refuses: {
        ...refusedTexts(128),
        'a push token that no device has': [12008, 'nobodys', `p00${'x'.repeat(27)}`, former.pushToken],
        'the push token of a device in another app': [12008, devices.pushNoneUser.pushToken],
      },
    },
  ),
  ...fieldRows(
    { path, token: tokens.manage, body: {}, before: fresh(3_133), taken: () => ok, blank: () => exactlyOne },
    {
      name: 'device_guid',
      takes: { 'the device_guid of a device': ['erased-of-3133'] },
      refuses: {
        ...refusedTexts(128),
        'a device_guid that no device has': [12008, 'nobodys phone'],
        'the device_guid of a device in another app': [12008, devices.pushNoneUser.guid],
      },
    },
  ),
];

const ruleRows: readonly Row[] = [
  rules(
    path,
    'requires exactly one of push_token and device_guid: 10002',
    [{}, { push_token: onlooker.pushToken, device_guid: onlooker.guid }].map((body) => ({
      call: erase(body),
      expect: exactlyOne,
    })),
  ),
  rule(path, 'ignores unknown fields', fresh(3_134), erase({ device_guid: 'erased-of-3134', user_id: 7 }), ok),
  ruleOf(
    path,
    'a deleted device is not found',
    3_135,
    () => [erase({ push_token: theirPushToken }), { path: FIND, body: { device_guid: 'phone-of-3135' } }],
    nothing,
  ),
  ruleOf(
    path,
    'the access tokens of a deleted device are rejected: 10008',
    3_136,
    (by) => [by.call('/device/list'), erase({ push_token: theirPushToken }), by.call('/device/list')],
    refused(10008),
  ),
  ruleOf(
    path,
    'other access tokens of the user stay valid',
    3_137,
    () => [
      logIn(3_137, 'another-of-3137'),
      erase({ push_token: theirPushToken }),
      { path: '/device/list', token: fromResponse(2, 'token') },
    ],
    { code: 200, rows: [{ device_guid: 'another-of-3137' }] },
  ),
  ruleOf(
    path,
    'another user can use the alias of a deleted device',
    3_138,
    (by) => [
      by.call('/device/alias', { alias: 'of-3138' }),
      erase({ push_token: theirPushToken }),
      addUser(3_139),
      logIn(3_139, 'phone-of-3139'),
      { path: '/device/alias', token: fromResponse(5, 'token'), body: { alias: 'of-3138' } },
    ],
    { code: 200, data: { alias: 'of-3138' } },
  ),
  ruleOf(
    path,
    'a deleted device is not found by its tags',
    3_140,
    (by) => [
      by.call('/device/tag', { add: ['of-3140'] }),
      erase({ device_guid: 'phone-of-3140' }),
      { path: FIND, body: { tag: 'of-3140' } },
    ],
    nothing,
  ),
  ruleOf(
    path,
    'a later login with the same device_guid creates a new device without tags or bindings',
    3_141,
    (by) => [
      by.call('/device/tag', { add: ['before'] }),
      by.call('/device/bind', { provider: 3, token: 'of-3141' }),
      erase({ push_token: theirPushToken }),
      logIn(3_141, 'phone-of-3141'),
      { path: '/device/list', token: fromResponse(5, 'token') },
    ],
    { code: 200, rows: [{ push_token: fromResponse(5, 'push_token'), tags: [], bindings: [] }] },
  ),
  ruleOf(
    path,
    'the push token of a deleted device is not reused: 12008',
    3_142,
    () => [
      erase({ push_token: theirPushToken }),
      logIn(3_142, 'phone-of-3142'),
      { path: '/device/tag', body: { push_token: theirPushToken } },
    ],
    refused(12008),
  ),
  ruleOf(
    path,
    'another device can bind the vendor token of a deleted device',
    3_143,
    (by) => [
      by.call('/device/bind', { provider: 3, token: 'of-3143' }),
      erase({ push_token: theirPushToken }),
      { path: '/device/bind', token: owners.binder.token, body: { provider: 3, token: 'of-3143' } },
    ],
    { code: 200, binding: { token: 'of-3143', channel: 'xiaomi', environment: 1 } },
  ),
  ruleOf(
    path,
    'rejects a second deletion: 12008',
    3_144,
    () => [erase({ push_token: theirPushToken }), erase({ device_guid: 'phone-of-3144' })],
    refused(12008),
  ),
  ruleOf(
    path,
    'deletes a device without a logged-in user by its device_guid',
    3_145,
    (by) => [
      by.call('/token/logout'),
      erase({ device_guid: 'phone-of-3145' }),
      { path: FIND, body: { device_guid: 'phone-of-3145' } },
    ],
    nothing,
  ),
  ruleOf(
    path,
    'deletes the devices of all users with a device_guid',
    3_148,
    () => [
      addUser(3_149),
      logIn(3_149, 'phone-of-3148'),
      erase({ device_guid: 'phone-of-3148' }),
      { path: FIND, body: { device_guid: 'phone-of-3148' } },
    ],
    nothing,
  ),
  ruleOf(
    path,
    'rejects the former push token of a device without a logged-in user: 12008',
    3_146,
    (by) => [by.call('/token/logout'), erase({ push_token: theirPushToken })],
    refused(12008),
  ),
  ruleOf(
    path,
    'a rejected request deletes nothing',
    3_147,
    (by) => [
      { path, token: tokens.push, body: { push_token: theirPushToken } },
      { path, token: theirToken, body: { push_token: theirPushToken } },
      { path, token: deviceTokens.platformOnly, body: { device_guid: 'phone-of-3147' } },
      erase({ push_token: theirPushToken, device_guid: 'phone-of-3147' }),
      by.call('/device/list'),
    ],
    { code: 200, rows: [{ push_token: theirPushToken }] },
  ),
  rule(
    path,
    'leaves a device with the same device_guid in another app unchanged',
    [
      createAppCall('erase-other'),
      addUser(1, adminOf('erase-other')),
      logIn(1, onlooker.guid, adminOf('erase-other')),
      inApp('erase-other', path, { device_guid: onlooker.guid }),
    ],
    { path: FIND, body: { device_guid: onlooker.guid } },
    { code: 200, rows: [{ push_token: onlooker.pushToken }] },
  ),
];

export const adminDeviceDeleteGroup: readonly Row[] = [
  ...fieldsRows,
  // The device does not exist, so permitted callers receive 12008.
  ...adminCallerRows({ path, body: { device_guid: 'nobodys phone' } }, 'manage', refused(12008)),
  ...ruleRows,
];
