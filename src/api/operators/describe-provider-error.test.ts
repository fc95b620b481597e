import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { describeProviderError } from './describe-provider-error.ts';

test('omits the claims of the ID token, which are in the cause of the cause', () => {
  const claims = { email: 'ada@example.com', name: 'Ada' };
  const cause = Object.assign(new Error('unexpected claim', { cause: { claims } }), { code: 'COMPARISON', claims });
  assert.deepEqual(describeProviderError(new ClientError('unexpected response', { cause })), {
    name: 'ClientError',
    message: 'unexpected response',
    cause: { name: 'Error', message: 'unexpected claim', code: 'COMPARISON' },
  });
  assert.deepEqual(describeProviderError(new TypeError('wrong claim', { cause: claims })), {
    name: 'TypeError',
    message: 'wrong claim',
  });
});

test('keeps the error of the token endpoint, but not its other fields', () => {
  const body = { error: 'invalid_grant', error_description: 'The code has expired.', id_token: 'a secret' };
  const error = new ResponseBodyError('error in the response', {
    cause: body,
    response: new Response(null, { status: 400 }),
  });
  assert.deepEqual(describeProviderError(error), {
    name: 'ResponseBodyError',
    message: 'error in the response',
    code: 'OAUTH_RESPONSE_BODY_ERROR',
    error: 'invalid_grant',
    error_description: 'The code has expired.',
  });
});

test('keeps 200 characters of the error with which the browser returns', () => {
  const cause = new URLSearchParams({ error: 'access_denied', error_description: 'x'.repeat(1_000), code: 'a secret' });
  const { error, error_description } = describeProviderError(
    new AuthorizationResponseError('error in the response', { cause }),
  );
  assert.deepEqual([error, error_description], ['access_denied', 'x'.repeat(200)]);
});
