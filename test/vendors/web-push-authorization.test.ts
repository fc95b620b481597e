import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { describe, test } from 'node:test';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { checkWebPushCertificate, webPushCredentials } from '#src/vendors/webpush/credentials.ts';
import { vapidAuthorization } from '#src/vendors/webpush/vapid.ts';
import { findVapidDefect } from '../../simulators/webpush/vapid.ts';
import { webPushLibrary } from './web-push-peers.ts';

const NOW = new Date('2026-11-15T12:00:00.500Z');
const HOUR_MS = 60 * 60 * 1_000;
const ORIGIN = 'https://web.push.apple.com';

function newIdentity(subject = 'mailto:push@example.com') {
  const input = { vendorAppId: subject, appKey: '', appSecret: '', certificate: '' };
  const { expiresAt: _, ...checked } = checkWebPushCertificate(input);
  return webPushCredentials({ appId: 'bells', environment: 1, version: 1, ...checked });
}

const publicKeyOf = (text: string) => {
  const point = Buffer.from(text, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
};
const tokenIn = (header: string) => /^vapid t=([^,]+), k=/.exec(header)?.[1] ?? '';
const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);

describe('VAPID authorization', () => {
  test('is a token that jose verifies with the key in the header', async () => {
    const identity = newIdentity();
    const header = vapidAuthorization(ORIGIN, identity, NOW);
    assert.equal(header, `vapid t=${tokenIn(header)}, k=${identity.publicKey}`);
    assert.deepEqual(decodeProtectedHeader(tokenIn(header)), { typ: 'JWT', alg: 'ES256' });
    const { payload } = await jwtVerify(tokenIn(header), publicKeyOf(identity.publicKey), { currentDate: NOW });
    const exp = Math.floor(later(20).getTime() / 1_000);
    assert.deepEqual(payload, { aud: ORIGIN, exp, sub: 'mailto:push@example.com' });
  });

  test('is accepted by the simulator, which also accepts the library web-push', () => {
    const identity = newIdentity();
    const checks = { checksSubject: true };
    const seconds = NOW.getTime() / 1_000;
    const header = vapidAuthorization(ORIGIN, identity, NOW);
    assert.equal(findVapidDefect(header, 'web.push.apple.com', seconds, checks), undefined);
    const { publicKey, privateKey } = webPushLibrary.generateVAPIDKeys();
    const vapidDetails = { subject: 'mailto:push@example.com', publicKey, privateKey };
    const subscription = { endpoint: `${ORIGIN}/x` };
    const { headers } = webPushLibrary.generateRequestDetails(subscription, '', { vapidDetails });
    const theirs = String(headers.Authorization);
    assert.equal(findVapidDefect(theirs, 'web.push.apple.com', Date.now() / 1_000, checks), undefined);
    assert.equal(theirs.replaceAll(/[\w-]{20,}/g, 'x'), header.replaceAll(/[\w-]{20,}/g, 'x'));
  });

  test('is reused for 12 hours, and is valid at least until then', () => {
    const identity = newIdentity();
    const first = vapidAuthorization(ORIGIN, identity, NOW);
    assert.equal(vapidAuthorization(ORIGIN, identity, later(11.9)), first);
    const second = vapidAuthorization(ORIGIN, identity, later(12));
    assert.notEqual(second, first);
    assert.equal(vapidAuthorization(ORIGIN, identity, later(12.1)), second);
  });

  test('is signed again if the clock was set back', () => {
    const identity = newIdentity();
    const first = vapidAuthorization(ORIGIN, identity, NOW);
    assert.equal(vapidAuthorization(ORIGIN, identity, later(-0.01)), first, 'less than a minute');
    assert.notEqual(vapidAuthorization(ORIGIN, identity, later(-1)), first);
  });

  test('differs for each push service, key and subject', () => {
    const identity = newIdentity();
    const other = { ...identity, subject: 'https://example.com/contact' };
    const headers = [
      vapidAuthorization(ORIGIN, identity, NOW),
      vapidAuthorization('https://fcm.googleapis.com', identity, NOW),
      vapidAuthorization(ORIGIN, other, NOW),
      vapidAuthorization(ORIGIN, newIdentity(), NOW),
    ];
    assert.equal(new Set(headers).size, 4);
  });
});
