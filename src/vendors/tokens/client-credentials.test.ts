import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readTokenResponse } from './client-credentials.ts';

const read = (status: number, body: unknown, headers = {}) =>
  readTokenResponse({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('a granted token', () => {
  test('lasts as long as the vendor specifies, or an hour if it specifies nothing', () => {
    const granted = { access_token: 'CgB6/e3x9+=', token_type: 'Bearer' };
    for (const expires_in of [7_200, '7200', 7_200.5])
      assert.deepEqual(read(200, { ...granted, expires_in }), { token: 'CgB6/e3x9+=', lifetimeSeconds: 7_200 });
    for (const expires_in of [undefined, 0, -1, 'soon', null])
      assert.deepEqual(read(200, { ...granted, expires_in }), { token: 'CgB6/e3x9+=', lifetimeSeconds: 3_600 });
  });

  test('can contain escaped slashes', () => {
    assert.deepEqual(read(200, '{"access_token":"a\\/b","expires_in":60}'), { token: 'a/b', lifetimeSeconds: 60 });
  });

  test('is ignored if it cannot be used in a header', () => {
    for (const access_token of ['', 'a b', 'a\r\nb', 'é', 7, null, undefined])
      assert.equal((read(200, { access_token }) as { kind?: string }).kind, 'unreachable', `${access_token}`);
  });
});

describe('failed token request', () => {
  test('with a wrong secret locks the account out and reports only error codes', () => {
    const huawei = { error: 1_101, sub_error: 12_304, error_description: 'secret canary is wrong' };
    assert.deepEqual(read(400, huawei), { kind: 'locked-out', reason: 'no token: 400 1101 12304' });
    const keycloak = { error: 'invalid_client', error_description: 'Invalid client credentials' };
    assert.deepEqual(read(401, keycloak), { kind: 'locked-out', reason: 'no token: 401 invalid_client' });
    assert.deepEqual(read(200, { error: 1_101 }), { kind: 'locked-out', reason: 'no token: 200 1101' });
    assert.deepEqual(read(403, {}), { kind: 'locked-out', reason: 'no token: 403' });
    assert.deepEqual(read(400, { error: 'a sentence' }), { kind: 'locked-out', reason: 'no token: 400' });
  });

  test('with an unintelligible response is retried', () => {
    for (const [status, body] of [
      [500, { error: 1_101 }],
      [502, 'Bad gateway'],
      [504, ''],
      [590, '{}'],
      [400, '<html>'],
      [200, '<html>'],
      [200, '[]'],
      [302, '{}'],
    ] as const)
      assert.deepEqual(read(status, body), { kind: 'unreachable', reason: `no token: ${status}` });
  });

  test('that is throttled is retried after the time that the vendor specifies, or after a minute', () => {
    for (const status of [429, 503]) {
      assert.deepEqual(read(status, '<html>'), { kind: 'throttled', retryAfterSeconds: 60, account: true });
      assert.deepEqual(read(status, '{}', { 'retry-after': '7' }), {
        kind: 'throttled',
        retryAfterSeconds: 7,
        account: true,
      });
    }
  });
});
