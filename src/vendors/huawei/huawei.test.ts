import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { account, goldens, headers, ids, NOW, notification, recall } from '../../../test/vendors/goldens/huawei.ts';
import { huawei } from './huawei.ts';

describe('a request to Huawei', () => {
  for (const golden of goldens) {
    test(`sends ${golden.what}`, () => {
      const credentials = huawei.toCredentials(account(golden.account), 'granted');
      const input = notification(golden.message, golden.notification);
      assert.deepEqual(huawei.toRequest(input, ['t1', 't2'], credentials, NOW), {
        path: golden.path ?? '/v1/10086001/messages:send',
        headers,
        body: JSON.stringify({
          validate_only: false,
          message: { data: golden.data ?? `{${ids}}`, android: golden.android, token: ['t1', 't2'] },
        }),
      });
    });
  }

  test('is identical for all devices of a slice except for the tokens', () => {
    const credentials = huawei.toCredentials(account(), 'granted');
    const message = { title: 'Ding', body: 'dong', huawei: { badge_class: 'com.example.Main' } };
    const [first, second] = [
      { deviceId: 1n, badge: 3 },
      { deviceId: 2n, badge: 8 },
    ].map((change) => huawei.toRequest(notification(message, change), ['t1'], credentials, NOW));
    assert.deepEqual(first, second);
  });

  for (const [what, change] of [
    ['by the ID of the app', {}],
    ['by the ID of the app even if notifications are sent by the ID of the project', { appKey: '736430079245' }],
  ] as const)
    test(`recalls a notification ${what}`, () => {
      const credentials = huawei.toCredentials(account(change), 'granted');
      const { taskId, ...expected } = recall;
      assert.deepEqual(huawei.toRecallRequest?.(taskId, ['t1', 't2'], credentials), expected);
    });

  test('reaches no device if it only checks the credentials', () => {
    const credentials = huawei.toCredentials(account(), 'granted');
    assert.deepEqual(huawei.toCheckRequest?.(credentials, NOW), {
      path: '/v1/10086001/messages:send',
      headers,
      body: '{"validate_only":true,"message":{"data":"{}","token":["nobody"]}}',
    });
  });
});
