import { adminCallerRows } from './admin-scopes.ts';
import { BUNDLE_ID, p8, pushPem, serviceAccount, wrongCurve } from './certificate-values.ts';
import { saying } from './device-calls.ts';
import { addUser, adminOf, certificateApp, createAppCall, inApp, logIn } from './fixture-devices.ts';
import {
  type Call,
  type Expect,
  type Field,
  fieldRows,
  fromResponse,
  notBoolean,
  notInteger,
  notText,
  type Row,
  refused,
} from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

const path = '/admin/certificate/save';
const LIST = '/admin/certificate/list';
const READ = '/push/certificate';

const honor = {
  provider: 8,
  name: 'Honor',
  app_id: '104400151',
  app_key: 'client-id',
  app_secret: 'client-secret',
} as const;
const xiaomi = { ...honor, provider: 3, name: 'Xiaomi' } as const;

/** Saves in an app that many rows share. No row reads the latest value there. */
const save = (body: unknown): Call => ({ path, ...certificateApp, body });
const saved = (data: Readonly<Record<string, unknown>>): Expect => ({
  code: 200,
  data: { ...data, expire: null, version: /^[1-9]\d*$/, updated_at: /^\d{13}$/ },
  dataWithout: ['app_secret', 'certificate'],
});

const words: Field['refuses'] = {
  'what is not text': [10002, ...notText],
  'the character NUL, or half of one': [10002, 'x\0', 'x\ud83d'],
  'what was copied with something else': [10002, 'two words', 'wört', 'line\nbreak'],
  'more than 1,024 characters': [12009, 'x'.repeat(1_025)],
};
const field = (body: object, one: Field, blank?: Expect): readonly Row[] =>
  fieldRows(
    {
      path,
      ...certificateApp,
      body,
      taken: (name, value) =>
        name in { app_secret: 1, certificate: 1, check: 1 } ? saved({}) : saved({ [name]: value }),
      ...(blank && { blank: () => blank }),
    },
    one,
  );

const fieldsRows: readonly Row[] = [
  ...bodyRows([], save(honor), saved({ provider: 8, environment: 1, name: 'Honor' })),
  ...field(honor, {
    name: 'provider',
    takes: { 'five that want the same fields': [2, 4, 5, 6, 8] },
    refuses: {
      'a number without a provider': [10002, 0, 9, -1, 2_147_483_649],
      'what is no int32': [10002, ...notInteger],
    },
  }),
  ...field(
    honor,
    {
      name: 'environment',
      takes: { '0 and 1': [0, 1] },
      refuses: { 'anything but 0 and 1': [10002, 2, -1, 0.5], 'what is no int32': [10002, ...notInteger] },
    },
    saved({ environment: 1 }),
  ),
  ...field(honor, {
    name: 'name',
    takes: { 'up to 128 characters, kept as they are': ['x', 'é'.repeat(128), ' Honor 荣耀 '] },
    refuses: {
      'what is not text': [10002, ...notText],
      'the character NUL, or half of one': [10002, 'x\0', 'x\ud83d'],
      'more than 128 characters': [12009, 'x'.repeat(129)],
    },
  }),
  ...field(honor, { name: 'app_id', takes: { 'a word': ['1', 'x'.repeat(1_024)] }, refuses: words }),
  ...field(honor, { name: 'app_key', takes: { 'a word': ['1', 'x'.repeat(1_024)] }, refuses: words }),
  ...field(honor, { name: 'app_secret', takes: { 'a word': ['1', 'x'.repeat(1_024)] }, refuses: words }),
  ...field(
    honor,
    {
      name: 'certificate',
      takes: {
        'what the provider has there': ['{"importance":"LOW"}', '{}', `{"x":"${'x'.repeat(65_528)}"}`],
      },
      refuses: {
        'what is not text': [10002, ...notText],
        'the character NUL, or half of one': [10002, '{"x":"\0"}', '{"x":"\ud83d"}'],
        'what the provider has not': [10002, 'not JSON', '[]', '5', '{"importance":5}'],
        'more than 65,536 characters': [12009, 'x'.repeat(65_537)],
      },
    },
    saved({}),
  ),
  ...field(
    honor,
    {
      name: 'per_second',
      takes: { '1 to 1,000,000': [1, 500, 1_000_000] },
      refuses: {
        'what is below or above': [10002, 0, -1, 1_000_001, 2_147_483_648],
        'what is no int32': [10002, ...notInteger],
      },
    },
    saved({ per_second: null }),
  ),
  ...field(
    honor,
    {
      name: 'check',
      takes: { 'true and false': [true, false] },
      refuses: { 'what is no boolean': [10002, ...notBoolean] },
    },
    saved({}),
  ),
];

/** Credentials with a key that Apple does not know, so they are saved without a check. */
const apns = {
  provider: 1,
  name: 'APNs',
  app_id: BUNDLE_ID,
  app_key: 'ABC123DEFG',
  app_secret: 'TEAM123456',
  check: false,
};

const vendorRows: readonly Row[] = [
  rule(path, 'APNs takes a p8 key', [], save({ ...apns, certificate: p8 }), saved({ app_id: BUNDLE_ID })),
  rule(
    path,
    'APNs takes a push certificate with its key, and knows when it expires',
    [],
    save({ provider: 1, environment: 0, name: 'APNs', certificate: pushPem(30), check: false }),
    { code: 200, data: { app_id: BUNDLE_ID, app_key: '', expire: /^\d{13}$/ } },
  ),
  rules(path, 'APNs refuses what cannot work: 10002', [
    { call: save({ ...apns, certificate: wrongCurve }), expect: refused(10002, /certificate/) },
    { call: save({ ...apns, certificate: 'bm90IGEgcDEy' }), expect: refused(10002) },
    { call: save({ ...apns }), expect: refused(10002, /certificate/) },
    { call: save({ ...apns, app_key: 'short', certificate: p8 }), expect: refused(10002, /app_key/) },
    { call: save({ ...apns, certificate: pushPem(-1) }), expect: refused(10002, /expired/) },
  ]),
  rule(
    path,
    'FCM takes a service account, which says the rest',
    [],
    save({ provider: 7, name: 'FCM', certificate: serviceAccount }),
    saved({ app_id: 'bells-project', app_key: 'bells@bells-project.iam.gserviceaccount.com' }),
  ),
  rules(path, 'FCM refuses any other file: 10002', [
    { call: save({ provider: 7, name: 'FCM', certificate: '{"type":"google-services"}' }), expect: refused(10002) },
    { call: save({ provider: 7, name: 'FCM' }), expect: refused(10002, /certificate/) },
  ]),
  rule(
    path,
    'OPPO’s two secrets are not the same: 10002',
    [],
    save({ ...honor, provider: 6, app_secret: 'same', certificate: '{"app_secret":"same"}' }),
    refused(10002, /MasterSecret/),
  ),
];

const inOwnApp = (app: string, body: object): Call => inApp(app, path, body);
const hidden = /^(?!.*(client-secret|very-secret|PRIVATE KEY))/;

const ruleRows: readonly Row[] = [
  rule(
    path,
    'it takes the place of those for the same provider and environment: the version rises by one',
    [createAppCall('save-again'), inOwnApp('save-again', honor)],
    inOwnApp('save-again', { ...honor, name: 'Honor again' }),
    { code: 200, data: { version: 2, name: 'Honor again' } },
  ),
  rule(
    path,
    'and there is one of them',
    [createAppCall('save-one'), inOwnApp('save-one', honor), inOwnApp('save-one', { ...honor, name: 'Honor again' })],
    inApp('save-one', LIST),
    { code: 200, rows: [{ name: 'Honor again', version: 2 }] },
  ),
  rule(
    path,
    'the environments are apart',
    [createAppCall('save-two'), inOwnApp('save-two', { ...honor, environment: 0 }), inOwnApp('save-two', honor)],
    inApp('save-two', LIST),
    {
      code: 200,
      rows: [
        { environment: 0, version: 1 },
        { environment: 1, version: 1 },
      ],
    },
  ),
  rule(
    path,
    'one that was deleted goes on counting: its version is never another’s',
    [
      createAppCall('save-deleted'),
      inOwnApp('save-deleted', honor),
      inApp('save-deleted', '/admin/certificate/delete', { provider: 8 }),
    ],
    inOwnApp('save-deleted', honor),
    { code: 200, data: { version: 2 } },
  ),
  rule(
    path,
    'a rate that was agreed is gone when it is saved without',
    [createAppCall('save-rate'), inOwnApp('save-rate', { ...honor, per_second: 2_000 }), inOwnApp('save-rate', honor)],
    inApp('save-rate', LIST),
    { code: 200, rows: [{ provider: 8, per_second: null, version: 2 }] },
  ),
  rule(path, 'what is secret is not told again', [], save(honor), saying(hidden)),
  rules(
    path,
    'nor is it quoted when something is wrong',
    [
      { ...honor, app_secret: 'very-secret words' },
      { ...xiaomi, certificate: 'very-secret' },
      { ...apns, certificate: `${p8}${p8}` },
      { ...apns, app_secret: 'very-secret', certificate: p8 },
      { provider: 7, name: 'FCM', certificate: '{"type":"service_account","private_key":"very-secret"}' },
    ].map((body) => ({ call: save(body), expect: { ...refused(10002), text: hidden } })),
  ),
  rule(
    path,
    'what is refused leaves what was there',
    [
      createAppCall('save-refused'),
      inOwnApp('save-refused', honor),
      inOwnApp('save-refused', { ...honor, app_key: '' }),
    ],
    inApp('save-refused', LIST),
    { code: 200, rows: [{ app_key: 'client-id', version: 1 }] },
  ),
  rule(
    path,
    'what was saved is what /push/certificate answers, without the spaces around it',
    [
      createAppCall('save-read'),
      inOwnApp('save-read', { ...honor, app_id: ' 104400151 ', app_secret: ' client-secret\n' }),
    ],
    inApp('save-read', READ, undefined, { method: 'GET', query: 'provider=8' }),
    {
      code: 200,
      data: {
        app_id: '104400151',
        app_key: 'client-id',
        app_secret: 'client-secret',
        certificate: '',
        name: 'Honor',
      },
    },
  ),
  rule(
    path,
    'another app does not see it: 12007',
    [createAppCall('save-other'), save(honor)],
    inApp('save-other', READ, undefined, { method: 'GET', query: 'provider=8' }),
    refused(12007),
  ),
  rule(path, 'unknown fields are ignored', [], save({ ...honor, version: 99, colour: 'red' }), saved({ provider: 8 })),
];

/** Credentials as the app on a device receives them. */
const clientRows: readonly Row[] = [
  rules(
    READ,
    'a user token gets OPPO’s client secret, which the app on the phone needs, and no other',
    (
      [
        [6, '{"app_secret":"for-the-phone","channel_id":"x"}', 'for-the-phone'],
        [6, '', ''],
        [3, '{"package_names":["com.example"]}', ''],
      ] as const
    ).map(([provider, certificate, secret], i) => {
      const app = `client-secret-${i}`;
      const body = { ...honor, provider, app_secret: 'master', ...(certificate && { certificate }) };
      return {
        before: [createAppCall(app), inOwnApp(app, body), addUser(1, adminOf(app)), logIn(1, 'phone', adminOf(app))],
        call: { method: 'GET', path: READ, query: `provider=${provider}`, app, token: fromResponse(3, 'token') },
        expect: {
          code: 200,
          data: { app_id: '104400151', app_key: 'client-id', app_secret: secret, certificate: '', name: 'Honor' },
          headers: { 'cache-control': /^no-store$/, 'ratelimit-limit': null },
        },
      };
    }),
  ),
];

export const adminCertificateGroup: readonly Row[] = [
  ...fieldsRows,
  // Permitted callers are rejected for the content of the request, so that the credentials of `bells` stay unchanged.
  ...adminCallerRows({ path, body: { ...honor, certificate: 'not JSON' } }, 'manage', refused(10002, /JSON/)),
  ...vendorRows,
  ...ruleRows,
  ...clientRows,
];
