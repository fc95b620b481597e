import { adminCallerRows } from './admin-scopes.ts';
import { BUNDLE_ID, huaweiServiceAccount, p8, pushPem, serviceAccount, wrongCurve } from './certificate-values.ts';
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

/** Saves credentials in an app that many rows share. No row reads the latest value in that app. */
const save = (body: unknown): Call => ({ path, ...certificateApp, body });
const saved = (data: Readonly<Record<string, unknown>>): Expect => ({
  code: 200,
  data: { ...data, expire: null, version: /^[1-9]\d*$/, updated_at: /^\d{13}$/ },
  dataWithout: ['app_secret', 'certificate'],
});

const words: Field['refuses'] = {
  'a value that is not a string': [10002, ...notText],
  'NUL characters and unpaired surrogates': [10002, 'x\0', 'x\ud83d'],
  'spaces, line breaks and non-ASCII characters': [10002, 'two words', 'wört', 'line\nbreak'],
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
    takes: { 'five providers with the same fields': [2, 4, 5, 6, 8] },
    refuses: {
      'an unknown provider number': [10002, 0, 100, -1, 2_147_483_649],
      'a value that is not an int32': [10002, ...notInteger],
    },
  }),
  ...field(
    honor,
    {
      name: 'environment',
      takes: { '0 and 1': [0, 1] },
      refuses: { 'anything but 0 and 1': [10002, 2, -1, 0.5], 'a value that is not an int32': [10002, ...notInteger] },
    },
    saved({ environment: 1 }),
  ),
  ...field(honor, {
    name: 'name',
    takes: { 'up to 128 characters, stored unchanged': ['x', 'é'.repeat(128), ' Honor 荣耀 '] },
    refuses: {
      'a value that is not a string': [10002, ...notText],
      'NUL characters and unpaired surrogates': [10002, 'x\0', 'x\ud83d'],
      'more than 128 characters': [12009, 'x'.repeat(129)],
    },
  }),
  ...field(honor, { name: 'app_id', takes: { 'up to 1,024 characters': ['1', 'x'.repeat(1_024)] }, refuses: words }),
  ...field(honor, { name: 'app_key', takes: { 'up to 1,024 characters': ['1', 'x'.repeat(1_024)] }, refuses: words }),
  ...field(honor, {
    name: 'app_secret',
    takes: { 'up to 1,024 characters': ['1', 'x'.repeat(1_024)] },
    refuses: words,
  }),
  ...field(
    honor,
    {
      name: 'certificate',
      takes: {
        'a JSON object with vendor settings': ['{"importance":"LOW"}', '{}', `{"x":"${'x'.repeat(65_528)}"}`],
      },
      refuses: {
        'a value that is not a string': [10002, ...notText],
        'NUL characters and unpaired surrogates': [10002, '{"x":"\0"}', '{"x":"\ud83d"}'],
        'invalid JSON, other JSON values and invalid settings': [10002, 'not JSON', '[]', '5', '{"importance":5}'],
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
        'a value out of range': [10002, 0, -1, 1_000_001, 2_147_483_648],
        'a value that is not an int32': [10002, ...notInteger],
      },
    },
    saved({ per_second: null }),
  ),
  ...field(
    honor,
    {
      name: 'check',
      takes: { 'true and false': [true, false] },
      refuses: { 'a value that is not a boolean': [10002, ...notBoolean] },
    },
    saved({}),
  ),
];

/** The key is not registered with Apple, so these credentials are saved without a check. */
const apns = {
  provider: 1,
  name: 'APNs',
  app_id: BUNDLE_ID,
  app_key: 'ABC123DEFG',
  app_secret: 'TEAM123456',
  check: false,
};

const vendorRows: readonly Row[] = [
  rule(path, 'accepts a p8 key for APNs', [], save({ ...apns, certificate: p8 }), saved({ app_id: BUNDLE_ID })),
  rule(
    path,
    'accepts an APNs push certificate with its key and returns its expiry time',
    [],
    save({ provider: 1, environment: 0, name: 'APNs', certificate: pushPem(30), check: false }),
    { code: 200, data: { app_id: BUNDLE_ID, app_key: '', expire: /^\d{13}$/ } },
  ),
  rules(path, 'rejects unusable APNs credentials: 10002', [
    { call: save({ ...apns, certificate: wrongCurve }), expect: refused(10002, /certificate/) },
    { call: save({ ...apns, certificate: 'bm90IGEgcDEy' }), expect: refused(10002) },
    { call: save({ ...apns }), expect: refused(10002, /certificate/) },
    { call: save({ ...apns, app_key: 'short', certificate: p8 }), expect: refused(10002, /app_key/) },
    { call: save({ ...apns, certificate: pushPem(-1) }), expect: refused(10002, /expired/) },
  ]),
  rule(
    path,
    'accepts a service account for FCM and reads the other fields from it',
    [],
    save({ provider: 7, name: 'FCM', certificate: serviceAccount }),
    saved({ app_id: 'bells-project', app_key: 'bells@bells-project.iam.gserviceaccount.com' }),
  ),
  rules(path, 'rejects any other file for FCM: 10002', [
    { call: save({ provider: 7, name: 'FCM', certificate: '{"type":"google-services"}' }), expect: refused(10002) },
    { call: save({ provider: 7, name: 'FCM' }), expect: refused(10002, /certificate/) },
  ]),
  rule(
    path,
    'accepts a service account for HarmonyOS and reads the project ID from it',
    [],
    save({ provider: 9, name: 'HarmonyOS', app_key: '100001', certificate: huaweiServiceAccount, check: false }),
    saved({ provider: 9, app_id: '736430079244001', app_key: '100001' }),
  ),
  rules(path, 'rejects HarmonyOS credentials without a complete service account: 10002', [
    {
      call: save({ provider: 9, name: 'HarmonyOS', app_id: '1', app_secret: 'very-secret' }),
      expect: refused(10002, /service-account file/),
    },
    {
      call: save({ provider: 9, name: 'HarmonyOS', app_id: '1', certificate: huaweiServiceAccount }),
      expect: refused(10002, /app_id must be empty or match/),
    },
  ]),
  rule(
    path,
    'creates a key pair for Web Push and returns its public key',
    [],
    save({ provider: 10, name: 'Web Push', app_id: 'mailto:push@example.com' }),
    saved({ provider: 10, app_id: 'mailto:push@example.com', app_key: /^[\w-]{87}$/ }),
  ),
  rules(path, 'rejects a contact for Web Push that push services cannot reach: 10002', [
    ...['', 'push@example.com', 'mailto:push@localhost', 'mailto:push@bells.invalid', 'https://10.0.0.1/'].map(
      (app_id) => ({ call: save({ provider: 10, name: 'Web Push', app_id }), expect: refused(10002, /app_id/) }),
    ),
  ]),
  rule(
    path,
    'rejects a public key for Web Push without its private key: 10002',
    [],
    save({ provider: 10, name: 'Web Push', app_id: 'mailto:push@example.com', app_key: 'B'.repeat(87) }),
    refused(10002, /app_secret is required/),
  ),
  rule(
    path,
    'rejects OPPO credentials whose two secrets are equal: 10002',
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
    'replaces the credentials for the same provider and environment and increases the version by one',
    [createAppCall('save-again'), inOwnApp('save-again', honor)],
    inOwnApp('save-again', { ...honor, name: 'Honor again' }),
    { code: 200, data: { version: 2, name: 'Honor again' } },
  ),
  rule(
    path,
    'stores one set of credentials per provider and environment',
    [createAppCall('save-one'), inOwnApp('save-one', honor), inOwnApp('save-one', { ...honor, name: 'Honor again' })],
    inApp('save-one', LIST),
    { code: 200, rows: [{ name: 'Honor again', version: 2 }] },
  ),
  rule(
    path,
    'stores the environments separately',
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
    'continues the version numbers after a deletion, so that no version occurs twice',
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
    'removes the agreed rate limit if per_second is omitted',
    [createAppCall('save-rate'), inOwnApp('save-rate', { ...honor, per_second: 2_000 }), inOwnApp('save-rate', honor)],
    inApp('save-rate', LIST),
    { code: 200, rows: [{ provider: 8, per_second: null, version: 2 }] },
  ),
  rule(path, 'does not return secrets', [], save(honor), saying(hidden)),
  rules(
    path,
    'does not quote secrets in error messages',
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
    'a rejected request leaves the saved credentials unchanged',
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
    'stores values without surrounding spaces, as /push/certificate returns them',
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
    'credentials are not visible in other apps: 12007',
    [createAppCall('save-other'), save(honor)],
    inApp('save-other', READ, undefined, { method: 'GET', query: 'provider=8' }),
    refused(12007),
  ),
  rule(path, 'ignores unknown fields', [], save({ ...honor, version: 99, colour: 'red' }), saved({ provider: 8 })),
];

/** Credentials as the app on a device receives them. */
const clientRows: readonly Row[] = [
  rules(
    READ,
    'returns the OPPO client secret to a user token, because the app on the phone needs it, but no other secret',
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
