import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { open } from '#src/foundation/sealed-box.ts';
import { appKeyContext, findApp } from '#src/storage/accounts/apps.ts';
import type { Role } from '../../scripts/dev/role-process.ts';
import { newMasterKey, newMasterKeys } from '../../scripts/stack/master-keys.ts';
import { roleSettings } from '../../scripts/stack/role-settings.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { runBin } from '../support/run-command.ts';

const INVALID_SETTINGS = 78;

describe('master keys of a process', () => {
  let carillon: Carillon;
  const first = newMasterKeys('first');

  before(async () => {
    carillon = await startCarillon({ apis: 1, gateways: 0, workers: 1, settings: first });
  });
  after(() => carillon[Symbol.asyncDispose]());

  /** Starts a process that must be rejected, and returns its message. */
  async function rejected(role: Role, change: Readonly<Record<string, string>>): Promise<string> {
    const { code, stderr } = await runBin(role, [], { ...carillon.settings, ...change });
    assert.equal(code, INVALID_SETTINGS, stderr);
    assert.doesNotMatch(stderr, /\n\s+at /, 'the error has no stack trace');
    for (const key of Object.values(change)) assert.ok(!stderr.includes(key.split(':')[1] as string));
    return stderr;
  }

  /** Starts a process that must be accepted, and stops it. */
  async function accepted(role: 'api' | 'worker', change: Readonly<Record<string, string>>): Promise<void> {
    const process = await carillon.start(role, change);
    assert.equal(await process.stop(), 0);
  }

  test('do not open values of another purpose', async () => {
    const app = await findApp(carillon.storage.home, carillon.appId);
    assert.ok(app);
    const { apps, callbacks, credentials } = carillon.keyrings;
    assert.match(open(apps, appKeyContext(carillon.appId), app.privateKey), /PRIVATE KEY/);
    for (const keyring of [callbacks, credentials])
      assert.throws(() => open(keyring, appKeyContext(carillon.appId), app.privateKey));
  });

  test('are only those that its role needs', () => {
    const keysOf = (role: 'api' | 'gateway' | 'worker') =>
      Object.keys(roleSettings(carillon.settings, role)).filter((name) => name.startsWith('CARILLON_MASTER_KEYS_'));
    assert.deepEqual(keysOf('api').length, 3);
    assert.deepEqual(keysOf('gateway'), []);
    assert.deepEqual(keysOf('worker').sort(), ['CARILLON_MASTER_KEYS_CALLBACKS', 'CARILLON_MASTER_KEYS_CREDENTIALS']);
  });

  for (const role of ['api', 'worker', 'all', 'rotate-keys'] as Role[])
    test(`are rejected at the start of ${role} if one of them has a known ID and another value`, async () => {
      assert.match(
        await rejected(role, { CARILLON_MASTER_KEYS_CREDENTIALS: newMasterKey('first') }),
        /CARILLON_MASTER_KEYS_CREDENTIALS: the key `first` differs from the key with this ID/,
      );
    });

  test('are rejected if none of them is known', async () => {
    assert.match(
      await rejected('worker', { CARILLON_MASTER_KEYS_CALLBACKS: newMasterKey('second') }),
      /CARILLON_MASTER_KEYS_CALLBACKS: the values in the database are sealed with another key\. Add the key `first`/,
    );
  });

  test('can contain a new key after a known one, which must then be the same in all processes', async () => {
    const withNew = (key: string) => ({
      CARILLON_MASTER_KEYS_CREDENTIALS: `${first.CARILLON_MASTER_KEYS_CREDENTIALS} ${key}`,
    });
    const second = newMasterKey('second');
    await accepted('api', withNew(second));
    await accepted('worker', withNew(second));
    assert.match(await rejected('worker', withNew(newMasterKey('second'))), /the key `second` differs from the key/);
  });

  test('are rejected if all values have been sealed again with another key', async () => {
    const third = newMasterKeys('third');
    const both = Object.fromEntries(
      Object.entries(third).map(([name, key]) => [name, `${key} ${first[name as keyof typeof first]}`]),
    );
    const rotated = await runBin('rotate-keys', [], { ...carillon.settings, ...both });
    assert.equal(rotated.code, 0, rotated.stderr);
    const message = await rejected('worker', {});
    for (const purpose of ['CALLBACKS', 'CREDENTIALS'])
      assert.match(message, new RegExp(`CARILLON_MASTER_KEYS_${purpose}: .* Add the key \`third\``));
    await accepted('worker', third);
  });
});
