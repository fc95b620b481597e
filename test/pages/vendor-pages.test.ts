import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Value } from 'typebox/value';
import { adminCertificateSave } from '#src/contract/admin/certificate/save.ts';
import { providerByVendor } from '#src/domain/channel.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import { vendorGuidePath, vendorReferencePath } from '../../scripts/docs/vendor-page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Headings of every guide, in this order. A page can have more headings in between. */
const GUIDE = [
  'Get credentials',
  'Save the credentials',
  'Prepare the app',
  'Quotas',
  'Message classes',
  'Credential and token mismatches',
  'Receipts',
];

/** Headings of every reference page, in this order. */
const REFERENCE = ['Message fields', 'Limits', 'Responses', 'Unverified assumptions'];

for (const vendor of Object.values(vendorRegistry)) {
  const guide = readFileSync(join(root, vendorGuidePath(vendor.name)), 'utf8');
  const reference = readFileSync(join(root, vendorReferencePath(vendor.name)), 'utf8');

  /** Returns the text below a heading of one of the two pages, up to the next heading. */
  const section = (heading: string): string => {
    const [, after = ''] = (GUIDE.includes(heading) ? guide : reference).split(`\n## ${heading}\n`);
    return after.split('\n## ')[0] as string;
  };

  describe(`the pages of ${vendor.name}`, () => {
    for (const [page, common] of [
      [guide, GUIDE],
      [reference, REFERENCE],
    ] as const)
      test(`have the headings ${common.join(', ')} in order, with text below each`, () => {
        const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading as string);
        assert.deepEqual(
          headings.filter((heading) => common.includes(heading)),
          common,
        );
        assert.deepEqual(
          common.filter((heading) => section(heading).trim() === ''),
          [],
        );
      });

    test('list the steps to obtain credentials', () => {
      assert.ok([...section('Get credentials').matchAll(/^\d\. /gm)].length >= 3);
    });

    test('state the number of devices per request and the rate limit that the code uses', () => {
      const { tokensPerRequest, perSecond } = vendor.limits;
      assert.match(section('Limits'), new RegExp(`^\\| Devices per request \\| ${tokensPerRequest}\\b`, 'm'));
      const rate = perSecond
        ? `${perSecond.count.toLocaleString('en')} ${perSecond.unit} per second`
        : 'no published figure';
      assert.match(section('Limits'), new RegExp(`^\\| Rate limit \\| ${rate}\\b`, 'm'));
    });

    test('name the settings with the URLs of the vendor', () => {
      const { send, token } = vendor.urls;
      const settings = [...Object.values(send), ...(token === undefined ? [] : [token])];
      assert.deepEqual(
        settings.filter((setting) => !section('Save the credentials').includes(`\`${setting}\``)),
        [],
      );
    });

    test('have an example for saving credentials that the API accepts', () => {
      const [, json = ''] =
        /curl \S+\/admin\/certificate\/save .*? -d '([^']+)'/s.exec(section('Save the credentials')) ?? [];
      const body: unknown = JSON.parse(json);
      assert.ok(Value.Check(adminCertificateSave.body, body));
      assert.deepEqual(
        Object.keys(body).filter((field) => !(field in adminCertificateSave.body.properties)),
        [],
      );
      assert.equal(body.provider, providerByVendor[vendor.name]);
      const { app_id = '', app_key = '', app_secret = '', certificate = '' } = body;
      if (certificate.includes('…')) return; // the example has a placeholder instead of a key
      const given = { vendorAppId: app_id, appKey: app_key, appSecret: app_secret, certificate };
      assert.doesNotThrow(() => vendor.checkCertificate(given, 1, new Date()));
    });

    test('explain the counters and state whether there is a callback URL for receipts', () => {
      const receipts = section('Receipts');
      assert.match(receipts, new RegExp(`\`${vendor.name}_received\` `));
      assert.match(receipts, new RegExp(`\`${vendor.name}_received\`\\s+(?:of|is)\\s+0\\b`), 'explains the value 0');
      assert.ok(receipts.includes('`/admin/certificate/callback`'));
      assert.equal(receipts.includes('`/admin/certificate/callback` is rejected'), vendor.receipts === undefined);
    });

    test('state the date on which the vendor documentation was read', () => {
      assert.match(section('Unverified assumptions'), /\bdocumentation\b[^.]*\b20\d\d-\d\d-\d\d\b/);
    });
  });
}
