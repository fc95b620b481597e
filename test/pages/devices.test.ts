import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { androidVendors, providerByVendor, vendorFacts } from '#src/domain/channel.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import type { Notification, Vendor } from '#src/vendors/vendor.ts';
import { vendorGuidePath } from '../../scripts/docs/vendor-page.ts';
import { requestOf } from '../vendors/goldens/webpush.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const android = read('docs/app/android-without-sdk.md');
const ios = read('docs/app/ios.md');
const receipts = read('docs/app/receipts.md');

const notification: Notification = {
  taskId: 4_503_599_627_370_497n,
  deviceId: 6_401n,
  reference: '4503599627370497.1.9',
  message: { type: 'text', badge: '+1', title: 'Ding', body: 'dong' },
  badge: undefined,
  notAfter: new Date('2026-11-16T12:00:00Z'),
};

/** Returns the parsed body of the request to a vendor. */
function requestTo(vendor: Vendor<unknown>): unknown {
  if (vendor.name === 'webpush') return requestOf({ message: notification.message }).payload;
  const certificate = vendor.name === 'xiaomi' ? '{"package_names":["com.example"]}' : '';
  const account = { appId: 'bells', vendorAppId: '1001', appKey: 'key', appSecret: 'secret', version: 1 };
  const credentials = vendor.toCredentials({ ...account, environment: 1, certificate }, 'granted');
  const { body } = vendor.toRequest(notification, ['a1'], credentials, new Date('2026-11-15T12:00:00Z'));
  return parse(body) ?? Object.fromEntries(new URLSearchParams(body));
}

/** Parses a JSON object. Returns undefined for any other string. */
function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Yields every object in a value, including objects in JSON strings, with its key. */
function* objectsIn(value: unknown, name = ''): Generator<readonly [string, object]> {
  const object = typeof value === 'string' ? parse(value) : value;
  if (typeof object !== 'object' || object === null) return;
  yield [name, object];
  for (const [key, inner] of Object.entries(object)) yield* objectsIn(inner, key);
}

describe('the provider number for the token of a vendor', () => {
  test('docs/app/android-without-sdk.md states it for every Android vendor, with a link to its guide', () => {
    const rows = [...android.matchAll(/^\| \[(\w+)\]\(\.\.\/vendors\/(\w+)\.md#prepare-the-app\) \| (\d) \|/gm)];
    const listed = rows.map(([, shown, file, provider]) => `${shown} docs/vendors/${file}.md ${provider}`);
    const expected = androidVendors.map(
      (vendor) => `${vendorFacts[vendor].displayName} ${vendorGuidePath(vendor)} ${providerByVendor[vendor]}`,
    );
    assert.deepEqual(listed.sort(), expected.sort());
  });

  test('docs/app/ios.md states it for APNs, with a link to its guide', () => {
    assert.match(ios, new RegExp(`^\\| \`provider\` \\| ${providerByVendor.apns} \\|$`, 'm'));
    assert.match(ios, new RegExp(`\\(\\.\\./${vendorGuidePath('apns').replace('docs/', '')}#prepare-the-app\\)`));
  });
});

describe('the location of the fields that the app reads', () => {
  const locations = [...receipts.matchAll(/^\| ([\w ]+) \| (next to )?`(\w+)` \|$/gm)];

  test('docs/app/receipts.md states one location for each vendor', () => {
    const expected = Object.values(vendorFacts).map(({ displayName }) => displayName);
    assert.deepEqual(locations.map(([, shown]) => shown as string).sort(), expected.sort());
  });

  for (const vendor of Object.values(vendorRegistry)) {
    test(`the message to ${vendor.name} contains mid and reference there`, () => {
      const { displayName } = vendorFacts[vendor.name];
      const [, , nextTo, name] =
        locations.find(([, shown]) => shown === displayName) ?? assert.fail(`no row for ${displayName}`);
      const matchingFields = [...objectsIn(requestTo(vendor))].filter(([key, object]) =>
        nextTo ? Object.hasOwn(object, name as string) : key === name,
      );
      assert.ok(
        matchingFields.some(([, object]) => 'mid' in object && 'reference' in object),
        `${JSON.stringify(requestTo(vendor))} has no mid and reference in this object`,
      );
    });
  }
});
