import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CURVE, encryptPayload, PLAINTEXT_BYTES_MAX } from '#src/vendors/webpush/encrypt.ts';
import { decrypt } from '../../simulators/webpush/decrypt.ts';
import { httpEce, TestBrowser, webPushLibrary } from './web-push-peers.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

function keyPair(privateKey: string) {
  const keys = createECDH(CURVE);
  keys.setPrivateKey(bytes(privateKey));
  return keys;
}

/** The example in section 5 and appendix A of RFC 8291. */
const example = {
  plain: 'When I grow up, I want to be a watermelon',
  sender: keyPair('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  browser: keyPair('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
  p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
  auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

describe('encryption of a message', () => {
  test('returns the bytes of the example in RFC 8291', () => {
    const { plain, sender, p256dh, auth, salt, body } = example;
    assert.equal(encryptPayload(Buffer.from(plain), { p256dh, auth }, sender, salt).toString('base64url'), body);
  });

  test('of the example in RFC 8291 is decrypted by http_ece and by the simulator', () => {
    const { plain, browser, auth, body } = example;
    const authSecret = auth.toString('base64url');
    const parameters = { version: 'aes128gcm', privateKey: browser, authSecret } as const;
    assert.equal(httpEce.decrypt(bytes(body), parameters).toString(), plain);
    assert.equal(decrypt(bytes(body), browser, auth)?.toString(), plain);
  });

  test('is decrypted by http_ece and by the simulator, for any payload and keys', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: PLAINTEXT_BYTES_MAX }), (content) => {
        const browser = new TestBrowser(undefined, randomBytes(16));
        const keys = { p256dh: browser.keys.getPublicKey(), auth: browser.auth };
        const body = encryptPayload(Buffer.from(content), keys);
        const authSecret = browser.auth.toString('base64url');
        const parameters = { version: 'aes128gcm', privateKey: browser.keys, authSecret } as const;
        assert.deepEqual(httpEce.decrypt(body, parameters), Buffer.from(content));
        assert.deepEqual(decrypt(body, browser.keys, browser.auth), Buffer.from(content));
      }),
      { numRuns: 50 },
    );
  });

  test('has the headers and the format of the library web-push', () => {
    const browser = new TestBrowser();
    const { publicKey, privateKey } = webPushLibrary.generateVAPIDKeys();
    const vapidDetails = { subject: 'mailto:push@example.com', publicKey, privateKey };
    const details = webPushLibrary.generateRequestDetails(browser.subscription, '{"a":1}', { vapidDetails, TTL: 60 });
    assert.equal(details.headers['Content-Encoding'], 'aes128gcm');
    assert.equal(browser.decrypt(details.body), '{"a":1}');
    assert.equal(decrypt(details.body, browser.keys, browser.auth)?.toString(), '{"a":1}');
    const ours = encryptPayload(Buffer.from('{"a":1}'), { p256dh: browser.keys.getPublicKey(), auth: browser.auth });
    assert.equal(ours.length, details.body.length);
    assert.deepEqual(ours.subarray(16, 21), details.body.subarray(16, 21), 'record size and length of the key');
  });

  test('of the longest payload has 4,096 bytes', () => {
    const { p256dh, auth } = example;
    assert.equal(PLAINTEXT_BYTES_MAX, 3_993);
    assert.equal(encryptPayload(Buffer.alloc(PLAINTEXT_BYTES_MAX), { p256dh, auth }).length, 4_096);
  });

  test('uses a new key and a new salt for each message', () => {
    const { p256dh, auth } = example;
    const bodies = [1, 2, 3].map(() => encryptPayload(Buffer.from('x'), { p256dh, auth }));
    assert.equal(new Set(bodies.map((body) => body.subarray(0, 16).toString('hex'))).size, 3);
    assert.equal(new Set(bodies.map((body) => body.subarray(21, 86).toString('hex'))).size, 3);
  });

  test('rejects a key that is not a point on the curve', () => {
    const { auth } = example;
    const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]);
    assert.throws(() => encryptPayload(Buffer.from('x'), { p256dh, auth }));
  });

  test('takes well below 5 ms for a payload of 1,000 bytes', (context) => {
    const { p256dh, auth } = example;
    const payload = Buffer.alloc(1_000, 'x');
    const count = 500;
    for (let i = 0; i < 50; i++) encryptPayload(payload, { p256dh, auth });
    const start = process.cpuUsage();
    for (let i = 0; i < count; i++) encryptPayload(payload, { p256dh, auth });
    const { user, system } = process.cpuUsage(start);
    const microseconds = (user + system) / count;
    context.diagnostic(`${microseconds.toFixed(0)} µs of CPU time per message`);
    assert.ok(microseconds < 5_000);
  });
});
