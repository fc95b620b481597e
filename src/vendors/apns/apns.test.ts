import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { credentials, goldens, NOW, notification, requestOf, shown } from '../../../test/vendors/goldens/apns.ts';
import type { Notification } from '../vendor.ts';
import { apns } from './apns.ts';

describe('request to Apple', () => {
  for (const { what, message, badge, headers, body } of goldens) {
    test(what, () => {
      const request = requestOf(message, badge);
      assert.deepEqual(JSON.parse(request.body), body);
      assert.deepEqual(request.headers, { ...shown, ...headers });
      assert.equal(request.path, '/3/device/a1b2c3');
    });
  }
});

test('omits the authorization header if the account has a push certificate', () => {
  const silent = { ...credentials, providerToken: undefined };
  const { headers } = apns.toRequest(notification({ body: 'dong' }), ['a1b2c3'], silent, NOW);
  const { authorization: _, ...expected } = shown;
  assert.deepEqual(headers, expected);
});

describe('apns-id of a notification', () => {
  const idOf = (ids: Partial<Notification>) =>
    apns.toRequest({ ...notification({ body: 'b' }), ...ids }, ['a1b2c3'], credentials, NOW).headers[
      'apns-id'
    ] as string;

  test('is the same UUID for every attempt', () => {
    assert.equal(idOf({}), idOf({}));
    assert.match(idOf({}), /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('differs between devices and between tasks', () => {
    const ids = [idOf({}), idOf({ deviceId: 6_402n }), idOf({ taskId: 4_503_599_627_370_498n })];
    // Task 1 with device 23 and task 12 with device 3 must have different ids.
    ids.push(idOf({ taskId: 1n, deviceId: 23n }), idOf({ taskId: 12n, deviceId: 3n }));
    assert.equal(new Set(ids).size, ids.length);
  });
});

test('encodes the device token so that it cannot change the request path', () => {
  const { path } = apns.toRequest(notification({ body: 'b' }), ['../x?y#z'], credentials, NOW);
  assert.equal(path, '/3/device/..%2Fx%3Fy%23z');
});

test('limits a request to one token and 4,096 bytes', () => {
  assert.deepEqual(apns.limits, { tokensPerRequest: 1, payloadBytesMax: 4_096 });
});
