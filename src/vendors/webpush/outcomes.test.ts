import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { webPushOutcome } from './outcomes.ts';

const APPLE = 'web.push.apple.com';
const outcome = (status: number, body = '', headers = {}, host = 'fcm.googleapis.com') =>
  webPushOutcome({ status, headers, body }, host);

describe('outcome of a Web Push request', () => {
  test('accepted, with the last part of the location as the message ID', () => {
    const location = 'https://fcm.googleapis.com/0:1700000000%abc';
    assert.deepEqual(outcome(201, '', { location }), { kind: 'accepted', channelMessageId: '0:1700000000%abc' });
    for (const status of [200, 201, 202]) assert.deepEqual(outcome(status), { kind: 'accepted', channelMessageId: '' });
  });

  test('dead for 404 and 410', () => {
    assert.deepEqual(outcome(410, '{"errno":106,"code":410}'), { kind: 'token-dead', reason: 'HTTP 410 106' });
    assert.deepEqual(outcome(410, '{"reason":"Unregistered"}'), {
      kind: 'token-dead',
      reason: 'HTTP 410 Unregistered',
    });
    assert.deepEqual(outcome(404, '<html>'), { kind: 'token-dead', reason: 'HTTP 404' });
  });

  test('closes the channel only if a push service of a browser returns BadJwtToken', () => {
    const body = '{"reason":"BadJwtToken"}';
    assert.deepEqual(outcome(403, body, {}, APPLE), { kind: 'locked-out', reason: 'HTTP 403 BadJwtToken' });
    assert.equal(outcome(403, body, {}, 'ntfy.example.com').kind, 'token-dead', 'a user can run this server');
  });

  test('suspect if the subscription may belong to another key', () => {
    const suspect = (reason: string) => ({ kind: 'token-dead', reason, suspect: true });
    assert.deepEqual(outcome(403, 'the VAPID credentials do not correspond to the subscription.'), suspect('HTTP 403'));
    assert.deepEqual(outcome(401, '{"errno":109}'), suspect('HTTP 401 109'));
    assert.deepEqual(
      outcome(400, '{"reason":"VapidPkHashMismatch"}', {}, APPLE),
      suspect('HTTP 400 VapidPkHashMismatch'),
    );
    assert.deepEqual(outcome(400, 'UnauthorizedRegistration'), suspect('HTTP 400 UnauthorizedRegistration'));
  });

  test('refused for other client errors and for redirects, which are not followed', () => {
    for (const status of [301, 302, 307, 308, 400, 405, 413])
      assert.deepEqual(outcome(status, '', { location: 'https://10.0.0.1/' }), {
        kind: 'refused',
        reason: `HTTP ${status}`,
      });
  });

  test('throttles only this subscription', () => {
    assert.deepEqual(outcome(429), { kind: 'throttled', retryAfterSeconds: 60 });
    assert.deepEqual(outcome(429, '', { 'retry-after': '7' }), { kind: 'throttled', retryAfterSeconds: 7 });
    assert.deepEqual(outcome(503, '', { 'retry-after': '7' }), { kind: 'throttled', retryAfterSeconds: 7 });
  });

  test('unreachable for server errors, without a conclusion about other push services', () => {
    for (const status of [500, 502, 503])
      assert.deepEqual(outcome(status, '<html>'), { kind: 'unreachable', reason: `HTTP ${status}`, device: true });
  });

  test('never quotes a long body', () => {
    const { reason } = outcome(400, 'x'.repeat(10_000)) as { reason: string };
    assert.equal(reason, 'HTTP 400');
  });
});
