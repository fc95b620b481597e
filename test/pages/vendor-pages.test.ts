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

/** What every page tells, in this order. A page may say more between them. */
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

test('there is a page for each of the eight vendors', () => {
  assert.equal(vendorPagePaths.length, 8);
});

for (const vendor of Object.values(vendorRegistry)) {
  const page = readFileSync(join(root, `docs/vendors/${vendor.name}.md`), 'utf8');

  /** The text below a heading, up to the next one. */
  const section = (heading: string): string => {
    const [, after = ''] = page.split(`\n## ${heading}\n`);
    return after.split('\n## ')[0] as string;
  };

  describe(`docs/vendors/${vendor.name}.md`, () => {
    test('has the headings that every page has, in their order, and something below each', () => {
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

    test('tells the steps to the credentials one by one', () => {
      assert.ok([...section('Credentials, step by step').matchAll(/^\d\. /gm)].length >= 3);
    });

    test('tells how many devices a request takes and how many go in a second, as the code has it', () => {
      const { tokensPerRequest, perSecond } = vendor.limits;
      assert.match(section('Limits'), new RegExp(`^\\| Devices in a request \\| ${tokensPerRequest}\\b`, 'm'));
      const rate = perSecond ? `${perSecond.count.toLocaleString('en')} ${perSecond.unit}\\b` : 'no figure';
      assert.match(section('Limits'), new RegExp(`^\\| In a second \\| ${rate}`, 'm'));
    });

    test('names the settings that say where the vendor is', () => {
      const { send, token } = vendor.urls;
      const settings = [...Object.values(send), ...(token === undefined ? [] : [token])];
      assert.deepEqual(
        settings.filter((setting) => !section('What to enter').includes(`\`${setting}\``)),
        [],
      );
    });

    test('has an example of saving the credentials that the API would take', () => {
      const [, json = ''] = /curl \S+\/admin\/certificate\/save .*? -d '([^']+)'/s.exec(section('What to enter')) ?? [];
      const body: unknown = JSON.parse(json);
      assert.ok(Value.Check(adminCertificateSave.body, body));
      assert.deepEqual(
        Object.keys(body).filter((field) => !(field in adminCertificateSave.body.properties)),
        [],
      );
      assert.equal(body.provider, providerByVendor[vendor.name]);
      const { app_id = '', app_key = '', app_secret = '', certificate = '' } = body;
      if (certificate.includes('…')) return; // a key that stands for a real one
      const given = { vendorAppId: app_id, appKey: app_key, appSecret: app_secret, certificate };
      assert.doesNotThrow(() => vendor.checkCertificate(given, 1, new Date()));
    });

    test('says what its counters count, and whether there is an address for receipts', () => {
      const receipts = section('Receipts');
      assert.match(receipts, new RegExp(`\`${vendor.name}_received\` `));
      assert.match(receipts, /[Aa] zero /);
      assert.ok(receipts.includes('`/admin/certificate/callback`'));
      assert.equal(receipts.includes('`/admin/certificate/callback` is refused'), vendor.receipts === undefined);
    });

    test('says when it was read', () => {
      assert.match(section('What is unsure'), /\b20\d\d-\d\d-\d\d\b/);
    });
  });
}
