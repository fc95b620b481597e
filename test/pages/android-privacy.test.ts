import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  androidArtifacts,
  androidPrivacyPage,
  chineseAndroidPrivacyPage,
  declarationsOf,
  inChinese,
} from '../../scripts/docs/android-privacy-page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the privacy list of the Android SDK', () => {
  const artifacts = androidArtifacts();

  test('is generated from the current manifests', () => {
    assert.equal(
      readFileSync(join(root, 'docs/app/android-privacy.md'), 'utf8'),
      androidPrivacyPage(),
      'run `npm run docs`',
    );
  });

  test('has a Chinese page that is generated from the same files, without English sentences', () => {
    const page = chineseAndroidPrivacyPage();
    assert.equal(readFileSync(join(root, 'docs/zh/app/android-privacy.md'), 'utf8'), page, 'run `npm run docs`');
    assert.deepEqual(page.match(/ (the|of|and|is|are) /g), null);
    assert.throws(() => inChinese('reads the clipboard'), /Add "reads the clipboard" to/);
  });

  test('reads permissions and components from a manifest', () => {
    const manifest = `<manifest>
      <!-- <uses-permission android:name="commented.out" /> -->
      <permission android:name="a.P" android:protectionLevel="signature" /> <uses-permission android:name="a.P" />
      <application>
        <provider android:name="a.Init" tools:node="remove" />
        <receiver
          android:name="a.R" android:exported="true" android:permission="a.S"><intent-filter /></receiver>
        <service android:name="a.Job" />
      </application></manifest>`;
    assert.deepEqual(
      declarationsOf(manifest).map(({ name, type }) => `${name}: ${type}`),
      [
        'a.P: defined and used',
        'a.Init: provider, removed',
        'a.R: receiver, exported, needs `a.S`',
        'a.Job: service, not exported',
      ],
    );
  });

  test('includes core', () => assert.equal(artifacts[0]?.module, 'core'));

  for (const { module, declarations, privacy, sizes } of artifacts) {
    test(`gives a reason for each permission and component of ${module}`, () => {
      const missing = declarations.map(({ name }) => name).filter((name) => !privacy?.reasons[name]);
      assert.deepEqual(missing, [], `add reasons to sdks/android/${module}/src/main/privacy.json`);
    });

    test(`lists the data and endpoints of ${module}`, () => {
      assert.ok((privacy?.data.length ?? 0) > 0 && (privacy?.endpoints.length ?? 0) > 0);
    });

    test(`states the size of ${module}`, () => {
      assert.ok(
        sizes?.dexBytes,
        `\`mvn verify\` writes sdks/android/${module}/sizes.json, which belongs to the source`,
      );
    });
  }

  test('explains nothing of core that its manifest lacks', () => {
    const named = new Set(artifacts[0]?.declarations.map(({ name }) => name));
    assert.deepEqual(
      Object.keys(artifacts[0]?.privacy?.reasons ?? {}).filter((name) => !named.has(name)),
      [],
    );
  });
});
