import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Type } from 'typebox';
import { describeSettings, loadSettings, SettingsError, secret, unknownSettings } from './settings.ts';

const groups = {
  shop: Type.Object({
    SHOP_NAME: Type.String({ default: 'corner', description: 'Name of the shop.' }),
    SHOP_PORT: Type.Integer({ default: 80, minimum: 1, maximum: 65535, description: 'Where it listens.' }),
    SHOP_OPEN: Type.Boolean({ default: false, description: 'Whether it is open.' }),
    SHOP_MODE: Type.Union([Type.Literal('quick'), Type.Literal('calm')], { default: 'calm', description: 'How.' }),
  }),
  safe: Type.Object({
    SHOP_KEY: secret({ description: 'Opens the safe.' }),
    SHOP_CODE: secret({ default: '', description: 'Closes it.' }),
    SHOP_DEPTH: Type.Integer({ default: 3, minimum: 0, description: 'How deep it is.' }),
  }),
};

const directory = mkdtempSync(join(tmpdir(), 'settings-'));
after(() => rmSync(directory, { recursive: true }));

function fileWith(text: string): string {
  const path = join(directory, `${Math.random()}`);
  writeFileSync(path, text);
  return path;
}

/** Returns the lines of the error that loading throws. */
function faultsOf(environment: Record<string, string>): string[] {
  try {
    loadSettings(groups, environment);
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    return error.message.split('\n').slice(1);
  }
  return assert.fail('Invalid settings were accepted.');
}

describe('settings are read', () => {
  test('with their defaults, by group', () => {
    assert.deepEqual(loadSettings(groups, { SHOP_KEY: 'k', PATH: '/bin' }), {
      shop: { SHOP_NAME: 'corner', SHOP_PORT: 80, SHOP_OPEN: false, SHOP_MODE: 'calm' },
      safe: { SHOP_KEY: 'k', SHOP_CODE: '', SHOP_DEPTH: 3 },
    });
  });

  test('from the environment, in their own types', () => {
    const environment = { SHOP_KEY: 'k', SHOP_NAME: ' a b ', SHOP_PORT: '443', SHOP_OPEN: 'true', SHOP_MODE: 'quick' };
    const { shop } = loadSettings(groups, environment);
    assert.deepEqual(shop, { SHOP_NAME: ' a b ', SHOP_PORT: 443, SHOP_OPEN: true, SHOP_MODE: 'quick' });
  });

  test('from a file, without the line break that editors add', () => {
    const environment = { SHOP_KEY_FILE: fileWith('from a file\n'), SHOP_PORT_FILE: fileWith('8443\n') };
    const { safe, shop } = loadSettings(groups, environment);
    assert.equal(safe.SHOP_KEY, 'from a file');
    assert.equal(shop.SHOP_PORT, 8443);
  });

  test('from the environment first when there is a file as well', () => {
    const { safe } = loadSettings(groups, { SHOP_KEY: 'direct', SHOP_KEY_FILE: fileWith('from a file') });
    assert.equal(safe.SHOP_KEY, 'direct');
  });
});

describe('invalid settings', () => {
  test('are all reported in one error', () => {
    const faults = faultsOf({
      SHOP_PORT: '70000',
      SHOP_OPEN: 'yes',
      SHOP_MODE: 'loud',
      SHOP_CODE_FILE: join(directory, 'nowhere'),
      SHOP_DEPTH: '-1',
    });
    const expected = [
      /SHOP_PORT must be integer 1–65535/,
      /SHOP_OPEN must be boolean/,
      /SHOP_MODE must be/,
      /SHOP_KEY is required: Opens the safe\./,
      /SHOP_CODE_FILE: cannot be read \(ENOENT\)/,
      /SHOP_DEPTH must be integer ≥ 0/,
    ];
    assert.equal(faults.length, expected.length, faults.join('\n'));
    for (const [i, pattern] of expected.entries()) assert.match(faults[i] as string, pattern);
  });

  test('only decimal integers are accepted as numbers', () => {
    for (const text of ['', ' ', '8 0', '1e3', '0x50', '80.5', '+80', 'eighty', '12345678901234567890'])
      assert.deepEqual(faultsOf({ SHOP_KEY: 'k', SHOP_PORT: text }), ['  - SHOP_PORT must be integer 1–65535'], text);
  });

  test('values are not repeated in the error, because they may be secrets', () => {
    const canary = 'canary-4711';
    const environment = { SHOP_PORT: canary, SHOP_OPEN: canary, SHOP_MODE: canary, SHOP_DEPTH_FILE: fileWith(canary) };
    assert.ok(!faultsOf(environment).join('\n').includes(canary));
  });
});

test('unknownSettings returns the undeclared names with the prefix', () => {
  const environment = {
    SHOP_NAME: 'x',
    SHOP_KEY_FILE: '/x',
    SHOP_PROT: '80',
    SHOP_KEY_FILES: '/x',
    SHOP_: '',
    SHOPPING: 'list',
    OTHER: '1',
    A_SHOP_NAME: '',
  };
  assert.deepEqual(unknownSettings(groups, environment, 'SHOP_'), ['SHOP_', 'SHOP_KEY_FILES', 'SHOP_PROT']);
});

test('the settings page shows every setting with its type, default and meaning', () => {
  const page = describeSettings(groups);
  assert.deepEqual(page.match(/^## .*$/gm), ['## shop', '## safe']);
  for (const row of [
    '| `SHOP_NAME` | string | `corner` | Name of the shop. |',
    '| `SHOP_PORT` | integer 1–65535 | `80` | Where it listens. |',
    '| `SHOP_KEY` | secret string | required | Opens the safe. |',
    '| `SHOP_CODE` | secret string | empty | Closes it. |',
    '| `SHOP_DEPTH` | integer ≥ 0 | `3` | How deep it is. |',
  ])
    assert.ok(page.includes(`${row}\n`), row);
});
