import { adminCallerRows } from './admin-scopes.ts';
import { inApp, makeApp } from './cast-devices.ts';
import { rule } from './people-calls.ts';
import type { Expect, Row } from './row.ts';

/** How it stands with the providers. What is learned of them is in `test/flows/quotas.test.ts`. */

const path = '/admin/channel/list';
const honor = { provider: 8, name: 'Honor', app_id: '1', app_key: 'client-id', app_secret: 'client-secret' };
const quiet: Expect = {
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
      spent: [],
      per_second: null,
      throttled_at: null,
    },
  ],
};

export const adminChannelGroup: readonly Row[] = [
  rule(path, 'an app without certificates has none', [makeApp('channel-none')], inApp('channel-none', path), {
    code: 200,
    rows: [],
  }),
  rule(
    path,
    'of a certificate that nothing was sent with yet nothing is known',
    [makeApp('channel-quiet'), inApp('channel-quiet', '/admin/certificate/save', honor)],
    inApp('channel-quiet', path),
    quiet,
  ),
  ...adminCallerRows({ path }, 'manage'),
];
