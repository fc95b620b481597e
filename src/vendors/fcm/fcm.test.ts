import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  credentials,
  data,
  goldens,
  headers,
  NOW,
  notification,
  path,
  requestOf,
  TOKEN,
} from '../../../test/vendors/goldens/fcm.ts';
import { messageFields } from '../translate/message-fields.ts';
import { fcm } from './fcm.ts';

describe('request to Google', () => {
  for (const golden of goldens) {
    test(golden.what, () => {
      const request = requestOf(golden);
      const android = golden.android ?? { priority: 'HIGH', ttl: '3600s', notification: golden.notification };
      const message = { ...(golden.target ?? { token: TOKEN }), data: golden.data ?? data, android };
      assert.deepEqual({ ...request, body: JSON.parse(request.body) }, { path, headers, body: { message } });
    });
  }

  test('has exactly the expected bytes', () => {
    assert.equal(
      requestOf({ message: { title: 'Ding', body: 'dong', ext: { n: 1 } }, token: 'live-1' }).body,
      '{"message":{"token":"live-1",' +
        '"data":{"mid":"4503599627370497","reference":"4503599627370497.1.9","badge":"+1","ext":"{\\"n\\":1}"},' +
        '"android":{"priority":"HIGH","ttl":"3600s","notification":{"title":"Ding","body":"dong",' +
        '"tag":"4503599627370497","notification_count":1,"default_sound":true}}}}',
    );
  });
});

test('a credential check uses a nonexistent token and sends nothing', () => {
  const request = fcm.toCheckRequest?.(credentials, NOW);
  assert.deepEqual(request, { path, headers, body: '{"validate_only":true,"message":{"token":"nobody"}}' });
});

test('encodes the project so that it cannot change the request path', () => {
  const odd = { ...credentials, projectId: '../x?y#z' };
  const { path: odder } = fcm.toRequest(notification({ message: { body: 'b' } }), [TOKEN], odd, NOW);
  assert.equal(odder, '/v1/projects/..%2Fx%3Fy%23z/messages:send');
});

test('limits a request to one token and 4,096 bytes, and uses one URL for both environments', () => {
  assert.partialDeepStrictEqual(fcm.limits, { tokensPerRequest: 1, payloadBytesMax: 4_096 });
  assert.equal(fcm.urls.send[0], fcm.urls.send[1]);
});

test('every message field is mapped, or dropped with a reason', () => {
  assert.deepEqual(Object.keys(fcm.fields).sort(), [...messageFields].sort());
});
