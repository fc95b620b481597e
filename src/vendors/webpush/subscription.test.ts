import assert from 'node:assert/strict';
import { createECDH } from 'node:crypto';
import { describe, test } from 'node:test';
import { readSubscription, storedSubscription, subscriptionText } from './subscription.ts';

const browser = createECDH('prime256v1');
browser.generateKeys();
const p256dh = browser.getPublicKey('base64url');
const auth = Buffer.alloc(16, 7).toString('base64url');
const GOOD = 'https://fcm.googleapis.com/fcm/send/abc:APA91b-x_y';

const tokenOf = (change: object = {}) => JSON.stringify({ endpoint: GOOD, keys: { p256dh, auth }, ...change });
const reasonOf = (token: string, extraHosts: readonly string[] = []): string | undefined => {
  const result = readSubscription(token, extraHosts);
  return typeof result === 'string' ? result : undefined;
};
const endpointReason = (endpoint: unknown, extraHosts?: readonly string[]) =>
  reasonOf(tokenOf({ endpoint }), extraHosts);

describe('endpoint of a subscription', () => {
  for (const endpoint of [
    GOOD,
    'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk',
    'https://web.push.apple.com/QGbT',
    'https://wns2-par02p.notify.windows.com/w/?token=BQYAAAB%2bx%3d',
    'https://FCM.googleapis.com:443/fcm/send/x',
  ])
    test(`is accepted: ${endpoint}`, () => assert.equal(endpointReason(endpoint), undefined));

  const rejected: readonly (readonly [string, unknown, RegExp])[] = [
    ['plain HTTP', 'http://fcm.googleapis.com/x', /https URL/],
    ['another scheme', 'file:///etc/passwd', /https URL/],
    ['no URL', 'fcm.googleapis.com/x', /https URL/],
    ['no string', 7, /endpoint must be a URL/],
    ['another port', 'https://fcm.googleapis.com:8443/x', /default port/],
    ['a user name', 'https://ada@fcm.googleapis.com/x', /user name or password/],
    ['a password', 'https://:secret@fcm.googleapis.com/x', /user name or password/],
    ['a host before a backslash', 'https://10.0.0.1\\@fcm.googleapis.com/x', /ASCII characters/],
    ['a fragment', 'https://fcm.googleapis.com/x#y', /fragment/],
    ['an empty fragment', 'https://fcm.googleapis.com/x#', /fragment/],
    ['an IPv4 address', 'https://169.254.169.254/latest', /not an IP address/],
    ['an IPv4 address as a number', 'https://2130706433/x', /not an IP address/],
    ['an IPv4 address in octal and hexadecimal', 'https://0177.0x1/x', /not an IP address/],
    ['an IPv6 address', 'https://[::1]/x', /not an IP address/],
    ['an IPv4 address in IPv6', 'https://[::ffff:10.0.0.1]/x', /not an IP address/],
    ['localhost', 'https://localhost/x', /not a known push service/],
    ['another host', 'https://push.example.com/x', /not a known push service/],
    ['a host that ends in a known name', 'https://evilfcm.googleapis.com/x', /not a known push service/],
    ['a subdomain of a host without a wildcard', 'https://a.fcm.googleapis.com/x', /not a known push service/],
    ['a known name inside another name', 'https://web.push.apple.com.example.com/x', /not a known push service/],
    ['the name of a wildcard without a subdomain', 'https://push.apple.com/x', /not a known push service/],
    ['a name that ends in a wildcard name', 'https://evilpush.apple.com/x', /not a known push service/],
    ['a trailing dot', 'https://fcm.googleapis.com./x', /not a known push service/],
    ['a space', 'https://fcm.googleapis.com/x y', /ASCII characters/],
    ['a line break', 'https://fcm.googleapis.com/x\r\nHost: a', /ASCII characters/],
    ['letters outside ASCII', 'https://fcm.googleapis.com/é', /ASCII characters/],
    ['full-width letters in the host', 'https://ｆcm.googleapis.com/x', /ASCII characters/],
    ['more than 1,024 characters', `${GOOD}${'x'.repeat(1_024)}`, /1024 ASCII characters/],
  ];
  for (const [what, endpoint, reason] of rejected)
    test(`is rejected: ${what}`, () => assert.match(endpointReason(endpoint) ?? 'accepted', reason));

  test('can be on a host that the operator allows', () => {
    const hosts = ['ntfy.example.com', '*.push.example.org'];
    assert.equal(endpointReason('https://ntfy.example.com/upABC?up=1', hosts), undefined);
    assert.equal(endpointReason('https://a.b.push.example.org/x', hosts), undefined);
    assert.match(endpointReason('https://a.ntfy.example.com/x', hosts) ?? '', /CARILLON_WEBPUSH_HOSTS/);
    assert.match(endpointReason('http://ntfy.example.com/x', hosts) ?? '', /https URL/);
    assert.match(endpointReason('https://ntfy.example.com:8443/x', hosts) ?? '', /default port/);
  });
});

describe('keys of a subscription', () => {
  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
  const compressed = browser.getPublicKey('base64url', 'compressed');
  const rejected: readonly (readonly [string, object, RegExp])[] = [
    ['no public key', { auth }, /p256dh/],
    ['a public key that is too short', { p256dh: p256dh.slice(0, 40), auth }, /p256dh/],
    ['a compressed public key', { p256dh: compressed, auth }, /p256dh/],
    ['a point that is not on the curve', { p256dh: offCurve, auth }, /p256dh/],
    ['a key with a character that is not base64url', { p256dh: `${p256dh.slice(0, -1)}!`, auth }, /p256dh/],
    ['no secret', { p256dh }, /keys\.auth must be 16 bytes/],
    ['a secret of 15 bytes', { p256dh, auth: auth.slice(0, 20) }, /keys\.auth/],
    ['a secret that is not a string', { p256dh, auth: 7 }, /keys\.auth/],
  ];
  for (const [what, keys, reason] of rejected)
    test(`are rejected: ${what}`, () => assert.match(reasonOf(tokenOf({ keys })) ?? 'accepted', reason));

  test('can have padding', () =>
    assert.equal(reasonOf(tokenOf({ keys: { p256dh: `${p256dh}=`, auth: `${auth}==` } })), undefined));
});

describe('token', () => {
  for (const token of ['', 'x', '[]', 'null', '7', '{}', '{"endpoint":null}'])
    test(`is rejected: ${token || '(nothing)'}`, () => assert.match(reasonOf(token) ?? 'accepted', /endpoint must be/));

  test('is stored without unknown fields, and with a normalized URL', () => {
    const keys = { p256dh: `${p256dh}=`, auth };
    const endpoint = 'https://FCM.googleapis.com:443/fcm/send/x';
    const read = readSubscription(tokenOf({ endpoint, keys, expirationTime: null, more: 1 }), []);
    assert.ok(typeof read !== 'string');
    const text = subscriptionText(read);
    assert.equal(text, JSON.stringify({ endpoint: 'https://fcm.googleapis.com/fcm/send/x', keys: { p256dh, auth } }));
    assert.deepEqual(storedSubscription(text), read);
  });
});
