import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  account,
  browser,
  credentials,
  data,
  goldens,
  headers,
  NOW,
  notification,
  requestOf,
  TOKEN,
} from '../../../test/vendors/goldens/webpush.ts';
import { webpush } from './webpush.ts';

describe('request to a push service', () => {
  for (const golden of goldens) {
    test(golden.what, () => {
      const { authorization, ...request } = requestOf(golden);
      assert.match(String(authorization), /^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=[\w-]{87}$/);
      assert.deepEqual(request, {
        origin: 'https://fcm.googleapis.com',
        path: '/fcm/send/c0ffee:APA91b-x?y=1',
        headers: { ...headers, ...golden.headers },
        body: '',
        payload: {
          web_push: 8030,
          notification: { ...golden.notification, data: golden.data ?? data },
          mutable: true,
        },
      });
    });
  }

  test('has exactly the expected bytes before the encryption', () => {
    const message = { title: 'Ding', body: 'dong', ext: { n: 1 } };
    const { bytes } = webpush.toRequest(notification({ message, badge: 2 }), [TOKEN], credentials, NOW);
    assert.equal(
      browser.decrypt(bytes as Buffer),
      '{"web_push":8030,"notification":{"title":"Ding","body":"dong","navigate":"https://bells.example.com/",' +
        '"tag":"4503599627370497","app_badge":2,"data":{"mid":"4503599627370497",' +
        '"reference":"4503599627370497.1.9","ext":{"n":1}}},"mutable":true}',
    );
  });

  test('is the same for every attempt, except for its encryption', () => {
    const [first, second] = [requestOf({ message: { body: 'x' } }), requestOf({ message: { body: 'x' } })];
    assert.deepEqual(first, second);
  });
});

describe('credentials of an account', () => {
  test('that cannot be used are rejected before any request, and not quoted', () => {
    for (const change of [{ appSecret: '' }, { appSecret: 'canary' }, { appKey: 'K'.repeat(87) }])
      assert.throws(
        () => webpush.tokenSource({ ...account, ...change }, NOW),
        (error: Error) => !error.message.includes('canary'),
      );
    assert.equal(webpush.tokenSource(account, NOW), undefined);
  });
});

describe('subscription as a vendor token', () => {
  test('is stored in a form that requests use', () => {
    const stored = webpush.tokenEndpoint?.read(JSON.stringify({ expirationTime: null, ...browser.subscription }), []);
    assert.deepEqual(stored, { origin: 'https://fcm.googleapis.com', token: TOKEN });
  });

  test('fits into the length limit with the longest allowed endpoint', () => {
    const endpoint = `https://fcm.googleapis.com/${'x'.repeat(1_024 - 27)}`;
    const token = JSON.stringify({ ...browser.subscription, endpoint, expirationTime: 1_800_000_000_000 });
    assert.ok(token.length < webpush.tokenFormat.lengthMax);
    assert.ok(webpush.tokenEndpoint && 'token' in webpush.tokenEndpoint.read(token, []));
  });
});
