import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { commandsFor } from './commands.ts';
import { createCheckout, startDemo } from './demo.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = 'docs/app/android.md';

// Maven downloads hundreds of megabytes in its first run, so only `.ci/nightly` sets this variable.
const skip = process.env.CARILLON_ANDROID === undefined && 'set CARILLON_ANDROID=1 to run the example app with Maven';

describe('docs/app/android.md', () => {
  test('shows code of the example app, up to the vendor modules, which the example does not have', () => {
    const sources = globSync('examples/android-app/**', { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => linesOf(readFileSync(`${parentPath}/${name}`, 'utf8')).join('\n'));
    const text = readFileSync(`${root}/${page}`, 'utf8');
    const [guide = '', vendors] = text.split('\n## Reach the app when it is closed\n');
    assert.ok(vendors);
    const blocks = [...guide.matchAll(/^```(?:kotlin|xml)\n([\s\S]+?)^```$/gm)];
    assert.ok(blocks.length >= 9);
    for (const [, block = ''] of blocks) {
      assert.ok(
        sources.some((source) => source.includes(linesOf(block).join('\n'))),
        `the example contains:\n${block}`,
      );
    }
  });

  test('delivers, opens and counts a notification with the commands of the page', { skip }, async () => {
    await using demo = await startDemo();
    const { base_url, app_id, admin_token, mqtt_url } = demo.facts;
    await using checkout = await createCheckout(demo.facts);
    const maven = ['-o', '-B', '-ntp', '-q', '--projects', 'guide', '--also-make', 'test', '-Dtest=GuideTest'];
    const { stdout } = await promisify(execFile)('mvn', [...maven, '-Dsurefire.failIfNoSpecifiedTests=false'], {
      cwd: `${root}/sdks/android`,
      env: {
        ...process.env,
        CARILLON_URL: base_url,
        CARILLON_APP_ID: app_id,
        CARILLON_ADMIN_TOKEN: admin_token,
        MQTT_PORT: new URL(mqtt_url).port,
        GUIDE_COMMANDS: JSON.stringify(commandsFor('android', page)),
        GUIDE_DIRECTORY: checkout.directory,
      },
    });
    assert.doesNotMatch(stdout, /Skipped: [1-9]/);
  });
});

/**
 * Returns the lines without indentation and without `//` comments, which a page does not repeat. The example has the
 * path of the SDK in this checkout.
 */
const linesOf = (text: string): string[] =>
  text
    .replaceAll('/path/to/carillon/', '../../')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'));
