import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setOperatorDisabled } from '#src/storage/operators/operators.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { OperatorBrowser, seedOperator, signedIn } from '../../support/operator.ts';
import { runBin } from '../../support/run-command.ts';

let carillon: Carillon;
let apiUrl: string;

before(async () => {
  carillon = await startCarillon({ gateways: 0, workers: 0 });
  apiUrl = carillon.apis[0]?.apiUrl as string;
});
after(() => carillon[Symbol.asyncDispose]());

describe('commands on the server', () => {
  const password = 'four random words here';
  const run = (name: string, args: readonly string[], env: Record<string, string> = {}) =>
    runBin(name, args, { ...carillon.settings, ...env });

  test('init creates a platform operator, and does not change an existing one', async () => {
    const env = { CARILLON_OPERATOR_PASSWORD: password };
    const first = await run('init', ['--operator-email', 'First@Example.com', '--operator-name', 'First'], env);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stderr, /first@example\.com was created\. Open \/console\//);
    const browser = new OperatorBrowser(apiUrl);
    const { name, is_platform } = (await browser.signIn('first@example.com', password)).data as Record<string, unknown>;
    assert.deepEqual([name, is_platform], ['First', true]);
    const again = await run('init', ['--operator-email', 'first@example.com'], env);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /already exists.*operator-password\.ts first@example\.com/s);
  });

  test('init rejects a missing or weak password, and prints no password', async () => {
    const missing = await run('init', ['--operator-email', 'weak@example.com']);
    assert.deepEqual([missing.code, /CARILLON_OPERATOR_PASSWORD_FILE/.test(missing.stderr)], [1, true]);
    for (const weak of ['short', 'password1', 'weak@example.com']) {
      const { code, stderr } = await run('init', ['--operator-email', 'weak@example.com'], {
        CARILLON_OPERATOR_PASSWORD: weak,
      });
      assert.equal(code, 1);
      assert.match(stderr, /The password (has \d+ characters|is easy to guess)/);
    }
  });

  test('operator-password sets a new password, enables the operator and ends the sessions', async () => {
    const operatorId = await seedOperator(carillon.storage.home, 'lost@example.com');
    const browser = await signedIn(apiUrl, 'lost@example.com');
    await setOperatorDisabled(carillon.storage.home, operatorId, true);
    const { code, stderr } = await run('operator-password', ['lost@example.com'], {
      CARILLON_OPERATOR_PASSWORD: password,
    });
    assert.equal(code, 0, stderr);
    assert.equal((await browser.signIn('lost@example.com')).code, 10013);
    assert.equal((await browser.signIn('lost@example.com', password)).code, 200);
    const unknown = await run('operator-password', ['unknown@example.com']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /No operator has the email address unknown@example\.com/);
  });

  test('commands that change who has access are in the audit log', async () => {
    const operatorId = await seedOperator(carillon.storage.home, 'amy@example.com');
    const env = { CARILLON_OPERATOR_PASSWORD: password };
    await run('operator-password', ['amy@example.com'], env);
    await run('init', ['--operator-email', 'max@example.com'], env);
    await run('init', ['--token-for', carillon.appId]);
    const max = new OperatorBrowser(apiUrl);
    await max.signIn('max@example.com', password);
    const latest = async (installation: boolean, limit: number) => {
      const response = await max.post('/admin/audit/list', { installation, limit }, { app_id: carillon.appId });
      const { list } = response.data as { list: Record<string, unknown>[] };
      return list.map(({ token_name, operation, detail, address }) => [token_name, operation, detail, address]);
    };
    const onServer = 'command on the server';
    assert.deepEqual(await latest(true, 2), [
      [onServer, 'init', '{"email":"max@example.com","is_platform":true}', ''],
      [onServer, 'operator-password', `{"operator_id":${operatorId},"password_changed":true}`, ''],
    ]);
    assert.deepEqual(await latest(false, 1), [[onServer, 'init', `{"token_for":"${carillon.appId}"}`, '']]);
  });
});
