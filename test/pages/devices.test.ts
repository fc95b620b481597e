import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { providerByVendor, vendorNames } from '#src/domain/channel.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import type { Notification, Vendor } from '#src/vendors/vendor.ts';
import { vendorGuidePath } from '../../scripts/docs/vendor-page.ts';

const page = readFileSync(new URL('../../docs/app/mqtt-client.md', import.meta.url), 'utf8');

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
  const certificate = vendor.name === 'xiaomi' ? '{"package_names":["com.example"]}' : '';
  const account = { appId: 'bells', vendorAppId: '1001', appKey: 'key', appSecret: 'secret', version: 1 };
  const credentials = vendor.toCredentials({ ...account, environment: 1, certificate }, 'granted');
  const { body } = vendor.toRequest(notification, ['a1'], credentials, new Date('2026-11-15T12:00:00Z'));
  return read(body) ?? Object.fromEntries(new URLSearchParams(body));
}

/** Parses a JSON object. Returns undefined for any other string. */
function read(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Yields every object in a value, including objects in JSON strings, with its key. */
function* objectsIn(value: unknown, name = ''): Generator<readonly [string, object]> {
  const object = typeof value === 'string' ? read(value) : value;
  if (typeof object !== 'object' || object === null) return;
  yield [name, object];
  for (const [key, inner] of Object.entries(object)) yield* objectsIn(inner, key);
}

describe('docs/app/mqtt-client.md', () => {
  const bindings = [...page.matchAll(/^\| \[(\w+)\]\(\.\.\/vendors\/(\w+)\.md#prepare-the-app\) \| (\d) \|/gm)];

  test('states the provider number for the token of each vendor', () => {
    const listed = bindings.map(([, , file, provider]) => `docs/vendors/${file}.md ${provider}`);
    const expected = vendorNames.map((vendor) => `${vendorGuidePath(vendor)} ${providerByVendor[vendor]}`);
    assert.deepEqual(listed.sort(), expected.sort());
  });

  for (const vendor of Object.values(vendorRegistry)) {
    test(`states the location of the fields that the app reads in a message from ${vendor.name}`, () => {
      const [, shown] = bindings.find(
        ([, , file]) => vendorGuidePath(vendor.name) === `docs/vendors/${file}.md`,
      ) as unknown as [string, string];
      const [, beside, name] =
        new RegExp(`^\\| ${shown} \\| (beside )?\`(\\w+)\` \\|`, 'm').exec(page) ?? assert.fail(`no row for ${shown}`);
      const matchingFields = [...objectsIn(requestTo(vendor))].filter(([key, object]) =>
        beside ? Object.hasOwn(object, name as string) : key === name,
      );
      assert.ok(
        matchingFields.some(([, object]) => 'mid' in object && 'reference' in object),
        `${JSON.stringify(requestTo(vendor))} has no mid and reference in this object`,
      );
    });
  }
});
