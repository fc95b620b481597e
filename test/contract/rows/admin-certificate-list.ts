import { adminCallerRows } from './admin-scopes.ts';
import { p8, pushPem } from './certificate-values.ts';
import { saying } from './device-calls.ts';
import { certificateApp, createAppCall, inApp } from './fixture-devices.ts';
import { blanks, type Call, fieldRows, notInteger, ok, type Row, refused, withField } from './row.ts';
import { bodyRows, rule } from './user-calls.ts';

/** Rows for listing and deleting credentials. */

const LIST = '/admin/certificate/list';
const DELETE = '/admin/certificate/delete';
const SAVE = '/admin/certificate/save';
const honor = { provider: 8, name: 'Honor', app_id: '1', app_key: 'client-id', app_secret: 'client-secret' };
/** Xiaomi requires package names; the other vendors ignore them. */
const packages = { certificate: '{"package_names":["com.example"]}' };
const save = (app: string, body: object = {}): Call => inApp(app, SAVE, { ...honor, ...body });
const erase = (app: string, body: object = { provider: 8 }): Call => inApp(app, DELETE, body);
const read = (app: string, query: string): Call => inApp(app, '/push/certificate', undefined, { method: 'GET', query });

const listRows: readonly Row[] = [
  rule(
    LIST,
    'returns an empty list for an app without credentials',
    [createAppCall('list-none')],
    inApp('list-none', LIST),
    {
      code: 200,
      rows: [],
    },
  ),
  rule(
    LIST,
    'orders credentials by expiry time, with those that never expire last',
    [
      createAppCall('list-order'),
      save('list-order'),
      save('list-order', {
        provider: 1,
        environment: 0,
        app_id: '',
        app_secret: '',
        certificate: pushPem(300),
        check: false,
      }),
      save('list-order', {
        provider: 1,
        environment: 1,
        app_id: '',
        app_secret: '',
        certificate: pushPem(20),
        check: false,
      }),
    ],
    inApp('list-order', LIST),
    {
      code: 200,
      rows: [
        { provider: 1, environment: 1, expire: /^\d{13}$/ },
        { provider: 1, environment: 0, expire: /^\d{13}$/ },
        { provider: 8, environment: 1, expire: null },
      ],
    },
  ),
  rule(
    LIST,
    'does not return secrets',
    [
      createAppCall('list-secret'),
      save('list-secret'),
      save('list-secret', {
        provider: 1,
        app_key: 'ABC123DEFG',
        app_secret: 'TEAM123456',
        certificate: p8,
        check: false,
      }),
    ],
    inApp('list-secret', LIST),
    saying(/^(?!.*(client-secret|TEAM123456|PRIVATE KEY|app_secret|"certificate"))/),
  ),
  rule(
    LIST,
    'needs no body and ignores its fields',
    [createAppCall('list-body'), save('list-body', { per_second: 2_000 })],
    inApp('list-body', LIST, { limit: 0, provider: 1 }),
    {
      code: 200,
      rows: [{ provider: 8, name: 'Honor', app_id: '1', app_key: 'client-id', per_second: 2_000, version: 1 }],
    },
  ),
];

/**
 * Credentials are saved before each case, because the case deletes them. No two rows that delete credentials use the
 * same provider and environment.
 */
const saved = (provider: number, environment: number): Call => ({
  path: SAVE,
  ...certificateApp,
  body: { ...honor, ...packages, provider, environment },
});
const fields = { path: DELETE, ...certificateApp, taken: () => ok };

const deleteRows: readonly Row[] = [
  ...bodyRows([saved(5, 1)], { path: DELETE, ...certificateApp, body: { provider: 5 } }),
  ...fieldRows(
    { ...fields, before: [saved(4, 0)], body: { environment: 0 } },
    {
      name: 'provider',
      takes: { 'a provider with saved credentials': [4] },
      refuses: {
        'a provider without credentials': [12007, 7],
        'an unknown provider number': [10002, 0, 100, -1, 2_147_483_649],
        'a value that is not an int32': [10002, ...notInteger],
      },
    },
  ),
  ...fieldRows(
    { ...fields, before: [saved(2, 0), saved(2, 1)], body: { provider: 2 } },
    {
      name: 'environment',
      takes: { '0 and 1': [0, 1] },
      refuses: { 'anything but 0 and 1': [10002, 2, -1, 0.5], 'a value that is not an int32': [10002, ...notInteger] },
    },
  ).filter(({ kind }) => kind !== 'blank'),
  {
    rule: `${DELETE} body.environment defaults to 1 for every kind of blank value`,
    path: `${DELETE} body.environment`,
    kind: 'blank',
    cases: blanks.map((blank) => ({
      before: [saved(3, 1)],
      call: { path: DELETE, ...certificateApp, body: withField({ provider: 3 }, 'environment', blank) },
      expect: ok,
    })),
  },
  rule(
    DELETE,
    'deleted credentials cannot be read: 12007',
    [createAppCall('delete-read'), save('delete-read'), erase('delete-read')],
    read('delete-read', 'provider=8'),
    refused(12007),
  ),
  rule(
    DELETE,
    'rejects a second deletion: 12007',
    [createAppCall('delete-again'), save('delete-again'), erase('delete-again')],
    erase('delete-again'),
    refused(12007),
  ),
  rule(
    DELETE,
    'deletes only the production credentials if environment is omitted',
    [
      createAppCall('delete-one'),
      save('delete-one'),
      save('delete-one', { environment: 0 }),
      save('delete-one', { provider: 3, ...packages }),
      erase('delete-one'),
    ],
    inApp('delete-one', LIST),
    {
      code: 200,
      rows: [
        { provider: 8, environment: 0 },
        { provider: 3, environment: 1 },
      ],
    },
  ),
  rule(
    DELETE,
    'does not find the credentials of another app: 12007',
    [
      createAppCall('delete-other'),
      { path: SAVE, ...certificateApp, body: { ...honor, provider: 6, app_secret: 'm' } },
    ],
    erase('delete-other', { provider: 6 }),
    refused(12007),
  ),
  rule(
    DELETE,
    'ignores unknown fields',
    [createAppCall('delete-fields'), save('delete-fields')],
    erase('delete-fields', { provider: 8, name: 'another', version: 7 }),
    ok,
  ),
];

export const adminCertificateListGroup: readonly Row[] = [
  ...adminCallerRows({ path: LIST }, 'manage'),
  ...listRows,
  // `bells` has no Xiaomi credentials for development, so permitted callers receive 12007.
  ...adminCallerRows({ path: DELETE, body: { provider: 3, environment: 0 } }, 'manage', refused(12007)),
  ...deleteRows,
];
