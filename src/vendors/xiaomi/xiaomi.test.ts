import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { account, goldens, headers, NOW, notification, recall } from '../../../test/vendors/goldens/xiaomi.ts';
import { xiaomi } from './xiaomi.ts';

const credentials = xiaomi.toCredentials(account(), undefined);

describe('a request to Xiaomi', () => {
  for (const golden of goldens) {
    test(`sends ${golden.what}`, () => {
      const input = notification(golden.message, golden.notification);
      const own = xiaomi.toCredentials(account(golden.account), undefined);
      assert.deepEqual(xiaomi.toRequest(input, ['r+1/=', 'r2'], own, NOW), {
        path: '/v3/message/regid',
        headers,
        body: new URLSearchParams(golden.form).toString(),
      });
    });
  }

  test('has URL-encoded tokens', () => {
    const { body } = xiaomi.toRequest(notification({ body: 'dong' }), ['r+1/='], credentials, NOW);
    assert.match(body, /^registration_id=r%2B1%2F%3D&/);
  });

  test('is identical for all devices of a slice except for the tokens', () => {
    const [first, second] = [
      { deviceId: 1n, badge: 3 },
      { deviceId: 2n, badge: 8 },
    ].map((change) => xiaomi.toRequest(notification({ body: 'dong' }, change), ['t1'], credentials, NOW));
    assert.deepEqual(first, second);
  });

  test('shows nothing for a data-only message', () => {
    const input = notification({ type: 'cmd', title: 'sync', body: 'now' });
    const form = new URLSearchParams(xiaomi.toRequest(input, ['t1'], credentials, NOW).body);
    assert.deepEqual([form.get('title'), form.get('description')], ['', '']);
  });

  test('recalls a notification with version 3 of the path', () => {
    const { taskId, ...expected } = recall;
    assert.deepEqual(xiaomi.toRecallRequest?.(taskId, ['r+1/=', 'r2'], credentials), expected);
  });

  test('reaches no device if it only checks the credentials', () => {
    assert.deepEqual(xiaomi.toCheckRequest?.(credentials, NOW), {
      path: '/v3/message/regid',
      headers,
      body: 'registration_id=nobody&restricted_package_name=com.example&title=-&description=-&extra.notify_effect=1',
    });
  });
});

describe("Xiaomi's credentials", () => {
  test('need no provider token', () => assert.equal(xiaomi.tokenSource(account(), NOW), undefined));

  test('cause an error before anything is sent if they cannot be read', () => {
    assert.throws(() => xiaomi.tokenSource(account({ certificate: 'canary' }), NOW));
  });

  test('that were saved without packages, before packages were required, are still used', () => {
    const old = xiaomi.toCredentials(account({ certificate: '' }), undefined);
    const form = new URLSearchParams(
      xiaomi.toRequest(notification({ body: 'x', xiaomi: { sound: 's' } }), ['t'], old, NOW).body,
    );
    assert.deepEqual([form.get('restricted_package_name'), form.get('extra.sound_uri')], [null, null]);
  });
});
