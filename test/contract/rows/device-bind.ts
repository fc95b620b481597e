import { providerByVendor } from '#src/domain/channel.ts';
import { deviceCallerRows, pushTokenRows } from './device-callers.ts';
import { boundTo, ruleOf, saying, theirPushToken, theirToken } from './device-calls.ts';
import { bindersTablet, inherited, owners } from './fixture-devices.ts';
import { tokens } from './fixtures.ts';
import {
  blanks,
  type Call,
  type Expect,
  fieldRows,
  notInteger,
  notText,
  ok,
  type Row,
  refused,
  row,
  withField,
} from './row.ts';
import { rules } from './user-calls.ts';

const path = '/device/bind';
const good = { provider: 3, token: 'vendor-token' };
const bind = (body: unknown, token: string | null = tokens.binder1): Call => ({ path, token, body });
const fields = { path, token: tokens.binder1, body: good, taken: () => ok };

/**
 * Expects a stored binding. Bindings are found by their vendor token, so every row that checks a binding uses its own
 * device.
 */
const bound = (token: string, channel: string, environment: number): Expect => ({
  code: 200,
  binding: { token, channel, environment },
});
const rule = (sentence: string, call: Call, expect: Expect) => row('rule', path, sentence, call, expect);

/** The token of Web Push is a subscription. */
const withWordTokens = Object.values(providerByVendor).filter((provider) => provider !== providerByVendor.webpush);

const browserKeys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
const subscription = (endpoint: string, more: object = {}) => JSON.stringify({ endpoint, keys: browserKeys, ...more });
const subscribe = (token: string): Call => bind({ provider: providerByVendor.webpush, token }, tokens.binder1);

/** Rows about Web Push subscriptions. Users choose the URL, to which workers send requests. */
const subscriptionRows: readonly Row[] = [
  rules(path, 'accepts the JSON of a subscription at a push service of a browser', [
    ...[
      'https://fcm.googleapis.com/fcm/send/a:APA91b',
      'https://updates.push.services.mozilla.com/wpush/v2/a',
      'https://web.push.apple.com/a',
      'https://wns2-par02p.notify.windows.com/w/?token=a',
    ].map((endpoint) => ({
      call: subscribe(subscription(endpoint, { expirationTime: null })),
      expect: bound(subscription(endpoint), 'webpush', 1),
    })),
  ]),
  rules(path, 'rejects a subscription with another URL: 10002', [
    ...[
      'http://fcm.googleapis.com/a',
      'https://fcm.googleapis.com:8443/a',
      'https://ada@fcm.googleapis.com/a',
      'https://fcm.googleapis.com/a#b',
      'https://127.0.0.1/a',
      'https://[::1]/a',
      'https://localhost/a',
      'https://push.example.com/a',
      'https://fcm.googleapis.com.example.com/a',
      'not a URL',
    ].map((endpoint) => ({
      call: subscribe(subscription(endpoint)),
      expect: refused(10002, /token must be the JSON of a push subscription/),
    })),
  ]),
  rules(path, 'rejects a subscription with invalid keys, and other values: 10002', [
    ...['x', '{}', '[]', subscription('https://web.push.apple.com/a', { keys: { ...browserKeys, auth: 'AA' } })].map(
      (token) => ({ call: subscribe(token), expect: refused(10002, /push subscription/) }),
    ),
    { call: subscribe('x'.repeat(2_049)), expect: refused(10002, /at most 2048 characters/) },
  ]),
];

const environmentForms: Row = {
  rule: '/device/bind body.environment defaults to 1 for every kind of blank value',
  path: '/device/bind body.environment',
  kind: 'blank',
  cases: blanks.map((blank, i) => ({
    call: bind(withField({ provider: 3, token: `blank-${i}` }, 'environment', blank), tokens.binder2),
    expect: bound(`blank-${i}`, 'xiaomi', 1),
  })),
};

const { binder, former, heir, ward } = owners;
const list = '/device/list';
const take = (token: string) => ({ provider: 3, token });

/** Rows about the device that a vendor token belongs to. */
const ownerRows: readonly Row[] = [
  rules(path, 'binds the token to the device that push_token identifies', [
    {
      call: bind({ provider: 5, token: 'to-tablet', push_token: bindersTablet.pushToken }, binder.token),
      expect: bound('to-tablet', 'vivo', 1),
    },
    {
      call: bind({ provider: 7, token: 'by-admin', push_token: ward.pushToken }, tokens.manage),
      expect: bound('by-admin', 'fcm', 1),
    },
  ]),
  ruleOf(
    path,
    'a vendor token belongs to the device that bound it last',
    3_012,
    (by) => [by.call(path, take('wandering')), bind(take('wandering'), binder.token), by.call(list)],
    boundTo(),
  ),
  ruleOf(
    path,
    'a device can reclaim a vendor token that another device has bound',
    3_013,
    (by) => [by.call(path, take('back')), bind(take('back'), binder.token), by.call(path, take('back'))],
    bound('back', 'xiaomi', 1),
  ),
  ruleOf(
    path,
    'the same string at another vendor is a different vendor token',
    3_014,
    (by) => [by.call(path, take('same')), bind({ provider: 7, token: 'same' }, binder.token), by.call(list)],
    boundTo([3, 1]),
  ),
  ruleOf(
    path,
    'a device has one live token per vendor, the latest one',
    3_015,
    (by) => [
      by.call(path, take('first')),
      by.call(path, { ...take('second'), environment: 0 }),
      by.call(path, { provider: 1, token: 'apns' }),
      by.call(list),
    ],
    boundTo([1, 1], [3, 0]),
  ),
  ruleOf(
    path,
    'binding the same token twice creates one binding',
    3_016,
    (by) => [by.call(path, take('twice')), by.call(path, take('twice')), by.call(list)],
    boundTo([3, 1]),
  ),
  ruleOf(
    path,
    'a login by another user on the device ends its bindings',
    3_017,
    (by) => [
      by.call(path, take('handed-over')),
      { path: '/admin/user/create', body: { user_id: 3_018 } },
      { path: '/admin/user/token', body: { user_id: 3_018, device_guid: 'phone-of-3017' } },
      { path: '/admin/device/find', body: { device_guid: 'phone-of-3017' } },
    ],
    boundTo(),
  ),
  ruleOf(
    path,
    'vendor tokens are never returned',
    3_019,
    (by) => [by.call(path, take('whisper')), by.call(list)],
    saying(/^(?!.*whisper)/),
  ),
  ruleOf(
    path,
    'a rejected request by a former user or by another user changes nothing',
    3_020,
    (by) => [
      by.call(path, take('mine')),
      bind(take('mine'), former.token),
      bind({ ...take('mine'), push_token: theirPushToken }, heir.token),
      bind({ ...take('mine'), push_token: inherited.pushToken }, ward.token),
      { path: list, token: theirToken },
    ],
    boundTo([3, 1]),
  ),
];

export const deviceBindGroup: readonly Row[] = [
  row('legal', `${path} body`, `${path} body accepts an object with provider and token`, bind(good), ok),
  {
    rule: `${path} body rejects a value that is not an object: 10002`,
    path: `${path} body`,
    kind: 'illegal',
    cases: ['[]', '3', '"token"', 'null'].map((text) => ({
      call: { path, token: tokens.binder1, text },
      expect: refused(10002, /object/),
    })),
  },
  ...fieldRows(fields, {
    name: 'provider',
    takes: { 'the number of each vendor with tokens of this format': withWordTokens },
    refuses: {
      'an unknown provider number': [10002, 0, 100, -1, 2_147_483_649],
      'a value that is not an int32': [10002, ...notInteger],
    },
  }),
  ...fieldRows(fields, {
    name: 'token',
    takes: { 'letters, digits and symbols of the vendor': ['x', 'x'.repeat(512), 'd//igwEhgBGCI2TG6lWqlK+/=='] },
    refuses: {
      'a comma, whitespace and other characters that the vendor does not use': [10002, 'a,b', 'a b', 'a\n', 'é'],
      'more characters than tokens of the vendor have': [10002, 'x'.repeat(513)],
      'a value that is not a string': [10002, ...notText],
      'NUL characters and unpaired surrogates': [10002, 'token\0', 'token\ud83d'],
      'more than 4,096 characters': [12009, 'x'.repeat(4_097)],
    },
  }),
  ...fieldRows(
    { ...fields, blank: () => ok },
    {
      name: 'environment',
      takes: { '0 and 1': [0, 1] },
      refuses: { 'anything but 0 and 1': [10002, 2, -1, 0.5], 'a value that is not an int32': [10002, ...notInteger] },
    },
  ),
  environmentForms,
  rule(
    'a binding has the given provider and environment',
    bind({ provider: 4, token: 'meizu-dev', environment: 0 }, tokens.binder3),
    bound('meizu-dev', 'flyme', 0),
  ),
  rule(
    'a binding stores the token unchanged',
    bind({ provider: 8, token: 'BAEAAAAAB.jlyp2BnK-_' }, tokens.binder4),
    bound('BAEAAAAAB.jlyp2BnK-_', 'honor', 1),
  ),
  rule(
    'a binding ignores unknown fields',
    bind({ provider: 6, token: 'oppo-token', colour: 'red' }, tokens.binder5),
    bound('oppo-token', 'oppo', 1),
  ),
  ...pushTokenRows(path, good, 'binder'),
  ...deviceCallerRows({ path, body: good, newUserId: 3_011 }),
  ...ownerRows,
  ...subscriptionRows,
];
