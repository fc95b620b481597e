import { nextBeijingMidnight } from '#src/vendors/translate/beijing-midnight.ts';
import { adminCallerRows } from './admin-scopes.ts';
import { pushPem } from './certificate-values.ts';
import { createAppCall, inApp } from './fixture-devices.ts';
import type { Expect, Row } from './row.ts';
import { rule } from './user-calls.ts';

/**
 * Status of the vendor channels. Learned quotas and rate limits are tested in
 * `test/flows/vendors/quotas-and-rates.test.ts`.
 */

const path = '/admin/channel/list';
const honor = { provider: 8, name: 'Honor', app_id: '1', app_key: 'client-id', app_secret: 'client-secret' };
const quiet = (perSecond: number): Expect => ({
  code: 200,
  rows: [
    {
      provider: 8,
      environment: 1,
      name: 'Honor',
      expire: null,
      open: true,
      reason: '',
      closed_at: null,
      probe_at: null,
      spent: [],
      usage: [],
      resets_at: null,
      per_second: perSecond,
      throttled_at: null,
      last_response: null,
      last_receipt_at: null,
    },
  ],
});

export const adminChannelGroup: readonly Row[] = [
  rule(
    path,
    'returns an empty list for an app without credentials',
    [createAppCall('channel-none')],
    inApp('channel-none', path),
    {
      code: 200,
      rows: [],
    },
  ),
  rule(
    path,
    'returns only the default rate limit of the vendor for credentials that have not been used yet',
    [createAppCall('channel-quiet'), inApp('channel-quiet', '/admin/certificate/save', honor)],
    inApp('channel-quiet', path),
    quiet(3_000),
  ),
  rule(
    path,
    'returns the agreed rate limit if the credentials have one',
    [
      createAppCall('channel-agreed'),
      inApp('channel-agreed', '/admin/certificate/save', { ...honor, per_second: 2_000 }),
    ],
    inApp('channel-agreed', path),
    quiet(2_000),
  ),
  rule(
    path,
    'returns no rate limit if the vendor has no default rate limit',
    [
      createAppCall('channel-unpaced'),
      inApp('channel-unpaced', '/admin/certificate/save', {
        provider: 1,
        name: 'APNs',
        certificate: pushPem(30),
        check: false,
      }),
    ],
    inApp('channel-unpaced', path),
    { code: 200, rows: [{ provider: 1, per_second: null }] },
  ),
  rule(
    path,
    'returns the usage of a quota for each message class, and its reset at midnight in Beijing',
    [
      createAppCall('channel-quota'),
      inApp('channel-quota', '/admin/certificate/save', {
        provider: 5,
        name: 'vivo',
        app_id: '1',
        app_key: 'key',
        app_secret: 'secret',
        check: false,
      }),
    ],
    inApp('channel-quota', path),
    {
      code: 200,
      rows: [
        {
          usage: [
            { class: 'operational', accepted: 0 },
            { class: 'system', accepted: 0 },
          ],
          resets_at: () => nextBeijingMidnight(new Date()).getTime(),
        },
      ],
    },
  ),
  ...adminCallerRows({ path }, 'manage'),
];
