import { adminCallerRows } from './admin-scopes.ts';
import { saying } from './device-calls.ts';
import { certificateApp, createAppCall, inApp } from './fixture-devices.ts';
import {
  type Call,
  type Expect,
  fieldRows,
  fromResponse,
  notBoolean,
  notInteger,
  notText,
  type Row,
  refused,
} from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

/** Paths to which vendors send delivery callbacks. Calls to these paths are tested in `callback.test.ts`. */

const path = '/admin/certificate/callback';

const HUAWEI = 2;
const HONOR = 8;
const HARMONY = 9;
const secret = '[\\w-]{43}';
const given: Expect = {
  code: 200,
  data: { path: new RegExp(`^/callback/(huawei|honor|harmony)/${secret}$`) },
  headers: { 'cache-control': /^no-store$/ },
};
const signature = { user_name: 'carillon', key: 'callback-key' };

const fields = { path, ...certificateApp, taken: () => given };
const half = refused(10002, /user_name and key must be sent together/);
const words = {
  takes: { 'up to 256 characters': ['x', 'é'.repeat(256)] },
  refuses: {
    'a value that is not a string': [10002, ...notText],
    'NUL characters and unpaired surrogates': [10002, 'x\0', 'x\ud83d'],
    'more than 256 characters': [12009, 'x'.repeat(257)],
  },
} as const;

const fieldsRows: readonly Row[] = [
  ...bodyRows([], { path, ...certificateApp, body: { provider: HUAWEI } }, given),
  ...fieldRows(
    { ...fields, body: {} },
    {
      name: 'provider',
      takes: { 'vendors that send callbacks': [HUAWEI, HONOR, HARMONY] },
      refuses: {
        'vendors that do not send callbacks': [10002, 1, 7],
        'an unknown provider number': [10002, 0, 100, -1, 2_147_483_649],
        'a value that is not an int32': [10002, ...notInteger],
      },
    },
  ),
  ...fieldRows(
    { ...fields, body: { provider: HUAWEI }, blank: () => given },
    {
      name: 'renew',
      takes: { 'true and false': [true, false] },
      refuses: { 'a value that is not a boolean': [10002, ...notBoolean] },
    },
  ),
  ...fieldRows(
    { ...fields, body: { provider: HUAWEI }, blank: () => given },
    {
      name: 'signed',
      takes: { 'true and false': [true, false] },
      refuses: { 'a value that is not a boolean': [10002, ...notBoolean] },
    },
  ),
  ...fieldRows(
    { ...fields, body: { provider: HUAWEI, ...signature }, blank: () => half },
    { name: 'user_name', ...words },
  ),
  ...fieldRows({ ...fields, body: { provider: HUAWEI, ...signature }, blank: () => half }, { name: 'key', ...words }),
];

const callback = (app: string, body: object = {}): Call => inApp(app, path, { provider: HUAWEI, ...body });
const pathOf = (n: number) => fromResponse(n, 'path');

const ruleRows: readonly Row[] = [
  rules(
    path,
    'the path contains the vendor name, and callbacks require no signature initially',
    (
      [
        ['huawei', HUAWEI],
        ['honor', HONOR],
        ['harmony', HARMONY],
      ] as const
    ).map(([vendor, provider]) => ({
      before: [createAppCall(`callback-${vendor}`)],
      call: callback(`callback-${vendor}`, { provider }),
      expect: { code: 200, data: { path: new RegExp(`^/callback/${vendor}/${secret}$`), signed: false } },
    })),
  ),
  rules(path, 'returns the same path when called again', [
    {
      before: [createAppCall('callback-again'), callback('callback-again')],
      call: callback('callback-again'),
      expect: { code: 200, data: { path: pathOf(1) } },
    },
    {
      before: [createAppCall('callback-not-renewed'), callback('callback-not-renewed')],
      call: callback('callback-not-renewed', { renew: false }),
      expect: { code: 200, data: { path: pathOf(1) } },
    },
  ]),
  rule(
    path,
    'returns a new path if renew is true',
    [createAppCall('callback-renew'), callback('callback-renew')],
    callback('callback-renew', { renew: true }),
    { code: 200, otherData: { path: pathOf(1) } },
  ),
  rule(
    path,
    'keeps returning the renewed path',
    [createAppCall('callback-renewed'), callback('callback-renewed'), callback('callback-renewed', { renew: true })],
    callback('callback-renewed'),
    { code: 200, data: { path: pathOf(2) }, otherData: { path: pathOf(1) } },
  ),
  rule(
    path,
    'stops requiring a signature if signed is false',
    [createAppCall('callback-taken-back'), callback('callback-taken-back', signature)],
    callback('callback-taken-back', { signed: false }),
    { code: 200, data: { path: pathOf(1), signed: false } },
  ),
  rule(
    path,
    'rejects user_name and key if signed is false: 10002',
    [createAppCall('callback-contrary')],
    callback('callback-contrary', { signed: false, ...signature }),
    refused(10002, /must not be sent/),
  ),
  rule(
    path,
    'each vendor has its own path, and renewing one leaves the other unchanged',
    [
      createAppCall('callback-both'),
      callback('callback-both', { provider: HONOR }),
      callback('callback-both'),
      callback('callback-both', { renew: true }),
    ],
    callback('callback-both', { provider: HONOR }),
    { code: 200, data: { path: pathOf(1) }, otherData: { path: pathOf(2) } },
  ),
  rule(
    path,
    'each app has its own path',
    [createAppCall('callback-ours'), { path, ...certificateApp, body: { provider: HONOR } }],
    callback('callback-ours', { provider: HONOR }),
    { code: 200, otherData: { path: pathOf(1) } },
  ),
  rule(
    path,
    'requires no credentials, because the vendor console may ask for the URL first',
    [
      createAppCall('callback-first'),
      inApp('callback-first', '/push/certificate', undefined, { method: 'GET', query: 'provider=2' }),
    ],
    callback('callback-first'),
    given,
  ),
  rules(
    path,
    'rejects vendors without callbacks and names the alternative: 10002',
    [1, 7].map((provider) => ({
      before: [createAppCall(`callback-none-${provider}`)],
      call: callback(`callback-none-${provider}`, { provider }),
      expect: refused(10002, /\/device\/receipt/),
    })),
  ),
  rule(
    path,
    'requires signed callbacks at the same path once user_name and key are set',
    [createAppCall('callback-signed'), callback('callback-signed')],
    callback('callback-signed', signature),
    { code: 200, data: { path: pathOf(1), signed: true } },
  ),
  rules(
    path,
    'keeps requiring signatures in later calls, even with renew or another key',
    [{}, { renew: true }, { user_name: 'another', key: 'another' }].map((body, i) => ({
      before: [createAppCall(`callback-signed-${i}`), callback(`callback-signed-${i}`, signature)],
      call: callback(`callback-signed-${i}`, body),
      expect: { code: 200, data: { signed: true } },
    })),
  ),
  rules(path, 'rejects user_name or key alone and changes nothing: 10002', [
    {
      before: [createAppCall('callback-half')],
      call: callback('callback-half', { user_name: 'carillon' }),
      expect: half,
    },
    {
      before: [createAppCall('callback-other-half')],
      call: callback('callback-other-half', { key: 'x' }),
      expect: half,
    },
    {
      before: [
        createAppCall('callback-kept'),
        callback('callback-kept'),
        callback('callback-kept', { key: 'x', renew: true }),
      ],
      call: callback('callback-kept'),
      expect: { code: 200, data: { path: pathOf(1), signed: false } },
    },
  ]),
  rule(
    path,
    'rejects user_name and key for a vendor that does not sign callbacks: 10002',
    [createAppCall('callback-unsigned')],
    callback('callback-unsigned', { provider: HONOR, ...signature }),
    refused(10002, /does not sign/),
  ),
  rule(
    path,
    'returns neither user_name nor key',
    [createAppCall('callback-untold')],
    callback('callback-untold', { user_name: 'the-user-name', key: 'the-key' }),
    saying(/^(?!.*the-(user-name|key))/),
  ),
  rule(
    path,
    'records each call without secrets',
    [
      createAppCall('callback-audit'),
      callback('callback-audit'),
      callback('callback-audit', { renew: true, ...signature }),
    ],
    inApp('callback-audit', '/admin/audit/list'),
    {
      ...saying(/^(?!.*(callback-key|huawei))/),
      rows: [
        { operation: path, detail: '{"provider":2,"renew":true}' },
        { operation: path, detail: '{"provider":2,"renew":false}' },
      ],
    },
  ),
  rule(
    path,
    'ignores unknown fields',
    [createAppCall('callback-fields')],
    callback('callback-fields', { path: '/x' }),
    given,
  ),
];

export const adminCertificateCallbackGroup: readonly Row[] = [
  ...fieldsRows,
  ...adminCallerRows({ path, body: { provider: HUAWEI } }, 'secrets', given),
  ...ruleRows,
];
