import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Value } from 'typebox/value';
import { adminCertificateSave } from '#src/contract/admin/certificate/save.ts';
import { providerByVendor } from '#src/domain/channel.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import { vendorPagePaths } from '../../scripts/docs/vendor-page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Headings that every page has, in this order. A page can have more headings in between. */
const HEADINGS = [
  'Credentials, step by step',
  'What to enter',
  'What the app must do',
  'What becomes of a message',
  'Limits',
  'Quotas',
  'What it answers',
  'Receipts',
  'What is unsure',
];

test('each of the eight vendors has a page', () => {
  assert.equal(vendorPagePaths.length, 8);
});

for (const vendor of Object.values(vendorRegistry)) {
  const page = readFileSync(join(root, `docs/vendors/${vendor.name}.md`), 'utf8');

  /** Returns the text below a heading, up to the next heading. */
  const section = (heading: string): string => {
    const [, after = ''] = page.split(`\n## ${heading}\n`);
    return after.split('\n## ')[0] as string;
  };

  describe(`docs/vendors/${vendor.name}.md`, () => {
    test('has the common headings in order, with text below each', () => {
      const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading as string);
      assert.deepEqual(
        headings.filter((heading) => HEADINGS.includes(heading)),
        HEADINGS,
      );
      assert.deepEqual(
        HEADINGS.filter((heading) => section(heading).trim() === ''),
        [],
      );
    });

    test('lists the steps to obtain credentials', () => {
      assert.ok([...section('Credentials, step by step').matchAll(/^\d\. /gm)].length >= 3);
    });

    test('states the number of devices per request and the rate limit that the code uses', () => {
      const { tokensPerRequest, perSecond } = vendor.limits;
      assert.match(section('Limits'), new RegExp(`^\\| Devices in a request \\| ${tokensPerRequest}\\b`, 'm'));
      const rate = perSecond ? `${perSecond.count.toLocaleString('en')} ${perSecond.unit}\\b` : 'no figure';
      assert.match(section('Limits'), new RegExp(`^\\| In a second \\| ${rate}`, 'm'));
    });

    test('names the settings with the URLs of the vendor', () => {
      const { send, token } = vendor.urls;
      const settings = [...Object.values(send), ...(token === undefined ? [] : [token])];
      assert.deepEqual(
        settings.filter((setting) => !section('What to enter').includes(`\`${setting}\``)),
        [],
      );
    });

    test('has an example for saving credentials that the API accepts', () => {
      const [, json = ''] = /curl \S+\/admin\/certificate\/save .*? -d '([^']+)'/s.exec(section('What to enter')) ?? [];
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

    test('explains its counters and states whether there is a callback URL for receipts', () => {
      const receipts = section('Receipts');
      assert.match(receipts, new RegExp(`\`${vendor.name}_received\` `));
      assert.match(receipts, /[Aa] zero /);
      assert.ok(receipts.includes('`/admin/certificate/callback`'));
      assert.equal(receipts.includes('`/admin/certificate/callback` is refused'), vendor.receipts === undefined);
    });

    test('states the date on which the vendor documentation was read', () => {
      assert.match(section('What is unsure'), /\b20\d\d-\d\d-\d\d\b/);
    });
  });
}
