import { adminCallerRows } from './admin-scopes.ts';
import { certificateApp, createAppCall, inApp } from './fixture-devices.ts';
import { type Call, type Expect, fieldRows, notInteger, type Row, refused } from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

/** Channels that are not paused. Paused channels are resumed in `test/flows/vendors/breakers.test.ts`. */

const path = '/admin/channel/resume';
const SAVE = '/admin/certificate/save';
const honor = { provider: 8, name: 'Honor', app_id: '1', app_key: 'client-id', app_secret: 'client-secret' };
const notPaused: Expect = { code: 200, data: { resumed: false } };
/** Saves Honor credentials, which no row deletes. */
const saved = (environment: number): Call => ({ path: SAVE, ...certificateApp, body: { ...honor, environment } });
const fields = { path, ...certificateApp, before: [saved(0), saved(1)] };
const save = (app: string, more: object = {}): Call => inApp(app, SAVE, { ...honor, ...more });
const resume = (app: string, body: object): Call => inApp(app, path, body);

export const adminChannelResumeGroup: readonly Row[] = [
  ...bodyRows([saved(1)], { path, ...certificateApp, body: { provider: 8 } }, notPaused),
  ...fieldRows(
    { ...fields, body: {}, taken: () => notPaused },
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
    { ...fields, body: { provider: 8 }, taken: () => notPaused, blank: () => notPaused },
    {
      name: 'environment',
      takes: { '0 and 1': [0, 1] },
      refuses: { 'anything but 0 and 1': [10002, 2, -1, 0.5], 'a value that is not an int32': [10002, ...notInteger] },
    },
  ),
  ...adminCallerRows({ path, body: { provider: 1 } }, 'manage', notPaused),
  rule(
    path,
    'resumes the production channel by default: 12007 if only development credentials exist',
    [createAppCall('resume-production'), save('resume-production', { environment: 0 })],
    resume('resume-production', { provider: 8 }),
    refused(12007),
  ),
  rules(path, 'rejects credentials that were never saved, were deleted or belong to another app: 12007', [
    { before: [createAppCall('resume-none')], call: resume('resume-none', { provider: 8 }), expect: refused(12007) },
    {
      before: [
        createAppCall('resume-deleted'),
        save('resume-deleted'),
        inApp('resume-deleted', '/admin/certificate/delete', { provider: 8 }),
      ],
      call: resume('resume-deleted', { provider: 8 }),
      expect: refused(12007),
    },
    {
      before: [createAppCall('resume-other'), saved(1)],
      call: resume('resume-other', { provider: 8 }),
      expect: refused(12007),
    },
  ]),
  rule(
    path,
    'records the provider and environment of each call',
    [createAppCall('resume-audit'), save('resume-audit'), resume('resume-audit', { provider: 8, environment: 1 })],
    inApp('resume-audit', '/admin/audit/list', { limit: 1 }),
    { code: 200, rows: [{ operation: path, detail: '{"provider":8,"environment":1}' }] },
  ),
];
