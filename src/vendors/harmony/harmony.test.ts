import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  account,
  goldens,
  headersFor,
  NOW,
  notification,
  recall,
  usualOptions,
} from '../../../test/vendors/goldens/harmony.ts';
import { harmony } from './harmony.ts';

describe('a request to HarmonyOS', () => {
  for (const golden of goldens) {
    test(`sends ${golden.what}`, () => {
      const credentials = harmony.toCredentials(account(golden.account), 'granted');
      const input = notification(golden.message, golden.notification);
      assert.deepEqual(harmony.toRequest(input, ['t1', 't2'], credentials, NOW), {
        path: golden.path ?? '/v3/7361001/messages:send',
        headers: headersFor(golden.pushType ?? 0),
        body: JSON.stringify({
          payload: golden.payload,
          target: { token: ['t1', 't2'] },
          pushOptions: golden.pushOptions ?? usualOptions,
        }),
      });
    });
  }

  test('is identical for all devices of a slice except for the tokens', () => {
    const credentials = harmony.toCredentials(account(), 'granted');
    const [first, second] = [
      { deviceId: 1n, badge: 3 },
      { deviceId: 2n, badge: 8 },
    ].map((change) => harmony.toRequest(notification({ body: 'dong' }, change), ['t1'], credentials, NOW));
    assert.deepEqual(first, second);
  });

  test('recalls a notification by the Client ID of the app, and not without it', () => {
    const { taskId, ...expected } = recall;
    const recallWith = (change: Parameters<typeof account>[0]) =>
      harmony.toRecallRequest?.(taskId, ['t1', 't2'], harmony.toCredentials(account(change), 'granted'));
    assert.deepEqual(recallWith({}), expected);
    assert.equal(recallWith({ appKey: '' }), undefined);
  });

  test('reaches no device if it only checks the credentials', () => {
    const credentials = harmony.toCredentials(account(), 'granted');
    assert.deepEqual(harmony.toCheckRequest?.(credentials, NOW), {
      path: '/v3/7361001/messages:send',
      headers: headersFor(6),
      body: '{"payload":{"extraData":"{}"},"target":{"token":["nobody"]}}',
    });
  });
});
