import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vendorNames } from '#src/domain/channel.ts';
import { hasDefaultUrls } from './default-urls.ts';
import type { VendorSettings } from './sender.ts';
import { vendorSettings } from './settings.ts';

const defaults = Object.fromEntries(
  Object.entries(vendorSettings.properties).map(([name, schema]) => [name, (schema as { default?: unknown }).default]),
) as unknown as VendorSettings;

test('every vendor has its default URLs if no setting is changed', () => {
  for (const name of vendorNames)
    for (const environment of [0, 1] as const) assert.equal(hasDefaultUrls(defaults, name, environment), true, name);
});

test('a URL for sending or for provider tokens that a setting replaces is not the default', () => {
  const huawei = { ...defaults, CARILLON_HUAWEI_TOKEN_URL: 'https://127.0.0.1:1' };
  assert.equal(hasDefaultUrls(huawei, 'huawei', 1), false);
  assert.equal(hasDefaultUrls(huawei, 'honor', 1), true, 'the setting of another vendor does not matter');
  const sandbox = { ...defaults, CARILLON_APNS_URL_DEVELOPMENT: 'https://127.0.0.1:1' };
  assert.deepEqual([hasDefaultUrls(sandbox, 'apns', 0), hasDefaultUrls(sandbox, 'apns', 1)], [false, true]);
});
