import { adminCallerRows } from './admin-scopes.ts';
import { BUNDLE_ID, p8, pushPem } from './certificate-values.ts';
import { certificateApp, createAppCall, inApp } from './fixture-devices.ts';
import { type Call, type CaseContext, type Expect, fieldRows, notInteger, type Row, refused } from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

/**
 * Credential checks at the vendor. The APNs simulator responds; no process is listening on the addresses of the other
 * vendors.
 */

const path = '/admin/certificate/check';
const SAVE = '/admin/certificate/save';
const LIST = '/admin/certificate/list';
const READ = '/push/certificate';

const honor = { provider: 8, name: 'Honor', app_id: '1', app_key: 'client-id', app_secret: 'client-secret' };
/** A key that is not registered in the APNs simulator. */
const apns = {
  provider: 1,
  name: 'APNs',
  app_id: BUNDLE_ID,
  app_key: 'ABC123DEFG',
  app_secret: 'TEAM123456',
  certificate: p8,
};
const huawei = { ...honor, provider: 2, name: 'Huawei' };
const oppo = { ...honor, provider: 6, name: 'OPPO' };

const good: Expect = { code: 200, data: { result: 'good', reason: '', default_url: false } };
const unknown: Expect = { code: 200, data: { result: 'unknown', reason: /\w/, default_url: false } };
const refusedByApple: Expect = {
  code: 200,
  data: { result: 'refused', reason: /^InvalidProviderToken: check the Key ID/, default_url: false },
};
/** Saves Honor credentials, which no row deletes. */
const saved = (environment: number): Call => ({ path: SAVE, ...certificateApp, body: { ...honor, environment } });
const fields = { path, ...certificateApp, before: [saved(0), saved(1)] };

const fieldsRows: readonly Row[] = [
  ...bodyRows([saved(1)], { path, ...certificateApp, body: { provider: 8 } }, unknown),
  ...fieldRows(
    { ...fields, body: {}, taken: () => unknown },
    {
      name: 'provider',
      takes: { 'a provider with saved credentials': [8] },
      refuses: {
        'an unknown provider number': [10002, 0, 100, -1, 2_147_483_649],
        'a value that is not an int32': [10002, ...notInteger],
      },
    },
  ),
  ...fieldRows(
    { ...fields, body: { provider: 8 }, taken: () => unknown, blank: () => unknown },
    {
      name: 'environment',
      takes: { '0 and 1': [0, 1] },
      refuses: { 'anything but 0 and 1': [10002, 2, -1, 0.5], 'a value that is not an int32': [10002, ...notInteger] },
    },
  ),
];

const save = (app: string, body: object, more: object = {}): Call => inApp(app, SAVE, { ...body, ...more });
const check = (app: string, body: object): Call => inApp(app, path, body);

const ruleRows: readonly Row[] = [
  rules(path, 'returns good for credentials that the vendor accepts, in both environments', [
    { call: { path, body: { provider: 1 } }, expect: good },
    { call: { path, body: { provider: 1, environment: 0 } }, expect: good },
  ]),
  rule(
    path,
    'returns refused and the vendor’s reason for credentials that the vendor rejects',
    [createAppCall('check-refused'), save('check-refused', apns, { check: false })],
    check('check-refused', { provider: 1 }),
    refusedByApple,
  ),
  rule(
    path,
    'returns unknown if the vendor cannot be reached',
    [createAppCall('check-unknown'), save('check-unknown', huawei)],
    check('check-unknown', { provider: 2 }),
    unknown,
  ),
  rule(
    path,
    'checks production credentials by default: 12007 if only development credentials exist',
    [createAppCall('check-production'), save('check-production', honor, { environment: 0 })],
    check('check-production', { provider: 8 }),
    refused(12007),
  ),
  rules(path, 'rejects credentials that were never saved, were deleted or belong to another app: 12007', [
    { before: [createAppCall('check-none')], call: check('check-none', { provider: 8 }), expect: refused(12007) },
    {
      before: [
        createAppCall('check-deleted'),
        save('check-deleted', honor),
        inApp('check-deleted', '/admin/certificate/delete', { provider: 8 }),
      ],
      call: check('check-deleted', { provider: 8 }),
      expect: refused(12007),
    },
    {
      before: [createAppCall('check-other'), saved(1)],
      call: check('check-other', { provider: 8 }),
      expect: refused(12007),
    },
  ]),
  rule(
    path,
    'does not change the credentials',
    [createAppCall('check-same'), save('check-same', apns, { check: false }), check('check-same', { provider: 1 })],
    inApp('check-same', LIST),
    { code: 200, rows: [{ provider: 1, version: 1 }] },
  ),
  rule(
    path,
    'records the provider and environment of each check',
    [createAppCall('check-audit'), save('check-audit', honor), check('check-audit', { provider: 8, environment: 1 })],
    inApp('check-audit', '/admin/audit/list', { limit: 1 }),
    { code: 200, rows: [{ operation: path, detail: '{"provider":8,"environment":1}' }] },
  ),
  rule(
    path,
    'ignores unknown fields',
    [createAppCall('check-fields'), save('check-fields', honor)],
    check('check-fields', { provider: 8, app_secret: 'another', colour: 'red' }),
    unknown,
  ),
];

/** Saving credentials also checks them at the vendor. */
const saveRows: readonly Row[] = [
  rule(
    SAVE,
    'does not save credentials that the vendor rejects, and returns the vendor’s reason: 10002',
    [createAppCall('save-asked')],
    save('save-asked', apns),
    refused(10002, /InvalidProviderToken.*check/),
  ),
  rules(
    SAVE,
    'keeps the saved credentials if the vendor rejects the new ones',
    (
      [
        ['save-asked-none', []],
        ['save-asked-one', [{ provider: 1, name: 'before', version: 1 }]],
      ] as const
    ).map(([app, rows]) => ({
      before: [
        createAppCall(app),
        ...rows.map(({ name }) => save(app, apns, { check: false, name })),
        save(app, apns, { name: 'after' }),
      ],
      call: inApp(app, LIST),
      expect: { code: 200, rows },
    })),
  ),
  rules(
    SAVE,
    'treats a blank check as true',
    [null, '', '  ', [], {}].map((blank, i) => ({
      before: [createAppCall(`save-asked-blank-${i}`)],
      call: save(`save-asked-blank-${i}`, apns, { check: blank }),
      expect: refused(10002, /InvalidProviderToken/),
    })),
  ),
  rule(
    SAVE,
    'does not call the vendor if check is false',
    [createAppCall('save-unasked')],
    save('save-unasked', apns, { check: false }),
    { code: 200, data: { provider: 1, version: 1 } },
  ),
  rule(
    SAVE,
    'rejects unusable credentials even if check is false: 10002',
    [createAppCall('save-unasked-wrong')],
    save('save-unasked-wrong', apns, { check: false, certificate: pushPem(-1) }),
    refused(10002, /expired/),
  ),
  rules(
    SAVE,
    'saves credentials that cannot be checked because the vendor does not respond',
    [honor, huawei, oppo].map((body) => ({
      before: [createAppCall(`save-silent-${body.provider}`)],
      call: save(`save-silent-${body.provider}`, body, { check: true }),
      expect: { code: 200, data: { provider: body.provider, version: 1 } },
    })),
  ),
  rule(
    SAVE,
    'saves credentials that the vendor accepts',
    [
      createAppCall('save-good'),
      // The only key that is registered in the APNs simulator.
      { method: 'GET', path: READ, query: 'provider=1' },
    ],
    inApp('save-good', SAVE, (moment: CaseContext) => ({ ...(moment.responses[1] as object), provider: 1 })),
    { code: 200, data: { provider: 1, version: 1 } },
  ),
];

export const adminCertificateCheckGroup: readonly Row[] = [
  ...fieldsRows,
  ...adminCallerRows({ path, body: { provider: 1 } }, 'manage', good),
  ...ruleRows,
  ...saveRows,
];
