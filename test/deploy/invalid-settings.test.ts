import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LOOPBACK_SETTINGS } from '../../scripts/dev/role-process.ts';
import { newMasterKey, newMasterKeys } from '../../scripts/stack/master-keys.ts';
import { runBin } from '../support/run-command.ts';

/** No server is listening on these addresses. Settings are checked before any connection is opened. */
const settings = {
  ...LOOPBACK_SETTINGS,
  CARILLON_DATABASE_URL: 'postgres://somebody:canary-4711@127.0.0.1:9/nothing',
  CARILLON_NATS_URLS: 'nats://127.0.0.1:9',
  ...newMasterKeys('2026-10'),
};

const duplicateKeyIds = { CARILLON_MASTER_KEYS_CALLBACKS: `${newMasterKey('2026-11')} ${newMasterKey('2026-11')}` };
const noKey = { CARILLON_MASTER_KEYS_CREDENTIALS: 'canary-4711' };
const sameName = 'low=postgres://somebody:canary-4711@127.0.0.1:9/low';
const duplicateNames = { CARILLON_SHARD_DATABASES: `${sameName} ${sameName}` };
const certificateAlone = { CARILLON_MQTT_TLS_CERTIFICATE_FILE: '/nowhere.pem' };
const keyAlone = { CARILLON_MQTT_TLS_KEY_FILE: '/nowhere.pem' };
const shortLease = { CARILLON_LEASE_SECONDS: '13' };

const refusals: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  [
    'api',
    noKey,
    'CARILLON_MASTER_KEYS_CREDENTIALS: A master key must have the form `id:base64` and decode to 32 bytes.',
  ],
  [
    'worker',
    noKey,
    'CARILLON_MASTER_KEYS_CREDENTIALS: A master key must have the form `id:base64` and decode to 32 bytes.',
  ],
  ...['api', 'worker', 'all', 'rotate-keys'].map(
    (name) =>
      [
        name,
        duplicateKeyIds,
        'CARILLON_MASTER_KEYS_CALLBACKS: Two master keys have the id "2026-11". Give the newer one another id.',
      ] as const,
  ),
  ...['gateway', 'migrate', 'init'].map(
    (name) => [name, duplicateNames, 'CARILLON_SHARD_DATABASES must not name the database `low` twice'] as const,
  ),
  [
    'api',
    { CARILLON_SHARD_DATABASES: 'canary-4711' },
    'CARILLON_SHARD_DATABASES must have the form `east=postgres://… west=postgres://…`',
  ],
  ['worker', shortLease, 'CARILLON_LEASE_SECONDS must be at least CARILLON_VENDOR_DEADLINE_SECONDS + 4, which is 14'],
  ...[certificateAlone, keyAlone].map(
    (half) =>
      [
        'gateway',
        half,
        'CARILLON_MQTT_TLS_CERTIFICATE_FILE and CARILLON_MQTT_TLS_KEY_FILE must be set together: set both, or neither',
      ] as const,
  ),
  ...(['api', 'mqtt'] as const).map((of) => {
    const setting = `CARILLON_${of.toUpperCase()}_TRUSTED_PROXIES`;
    return [
      of === 'api' ? 'api' : 'gateway',
      { [setting]: '10.0.0.7, canary-4711' },
      `${setting}: item 2 is neither an address nor a network, such as 10.0.0.7 or 10.1.0.0/16`,
    ] as const;
  }),
];

describe('exit code 78 and error text for invalid settings', () => {
  for (const [name, wrong, words] of refusals)
    test(`${name}: ${words}`, async () => {
      const { code, stderr } = await runBin(name, [], { ...settings, ...wrong });
      assert.deepEqual([code, stderr], [78, `Invalid settings:\n  - ${words}\n`]);
    });

  test('a process checks only the settings that it uses', async () => {
    const others = { ...settings, ...duplicateKeyIds, ...shortLease };
    const { code, stderr } = await runBin('gateway', [], others);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^127\.0\.0\.1:9\/nothing cannot be used: .* Start PostgreSQL, or check CARILLON_DATABASE_URL\.$/m,
    );
  });
});
