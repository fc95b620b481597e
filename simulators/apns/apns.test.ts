import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ApnsSimulator, startApnsSimulator } from './simulator.ts';
import { openConnection, type PushResult, push, validHeaders } from './test-client.ts';

const SLOW_MS = 300;
let simulator: ApnsSimulator;
let connection: Awaited<ReturnType<typeof openConnection>>;
let headers: Record<string, string>;

before(async () => {
  simulator = await startApnsSimulator({ slowMs: SLOW_MS });
  connection = await openConnection(simulator);
  headers = validHeaders(simulator);
});
after(async () => {
  await connection[Symbol.asyncDispose]();
  await simulator.stop();
});

/** Changes to a valid push: other parts or headers. A value of `undefined` omits the part or header. */
type Change = Readonly<Record<string, string | string[] | undefined>>;

function pushWith(change: Change): Promise<PushResult> {
  const parts = ['token', 'method', 'path', 'body'];
  const isPart = ([name]: [string, unknown]) => parts.includes(name);
  const entries = Object.entries(change);
  return push(connection, {
    ...Object.fromEntries(entries.filter(isPart)),
    headers: { ...headers, ...Object.fromEntries(entries.filter((entry) => !isPart(entry))) },
  });
}

const alert = (bytes: number) => `{"aps":{"alert":"${'x'.repeat(bytes - 20)}"}}`;
const silent = '{"aps":{"content-available":1}}';
const background = { 'apns-push-type': 'background', 'apns-priority': '5' };

describe('requests that both Apple and the APNs simulator reject', () => {
  const refusals: readonly (readonly [string, Change, number, string])[] = [
    ['a method other than POST', { method: 'PUT' }, 405, 'MethodNotAllowed'],
    ['an unknown path', { path: '/4/device/live-1' }, 404, 'BadPath'],
    ['a path with an extra segment', { path: '/3/device/live-1/more' }, 404, 'BadPath'],
    ['a path without a token', { path: '/3/device/' }, 400, 'MissingDeviceToken'],
    ['no provider token', { authorization: undefined }, 403, 'MissingProviderToken'],
    ['no topic', { 'apns-topic': undefined }, 400, 'MissingTopic'],
    ['a topic that is not a bundle id', { 'apns-topic': 'no topic' }, 400, 'BadTopic'],
    ['a topic of another app', { 'apns-topic': 'com.example.other' }, 400, 'TopicDisallowed'],
    ['a repeated header', { 'apns-priority': ['5', '5'] }, 400, 'DuplicateHeaders'],
    ['an id that is not a UUID', { 'apns-id': 'message-1' }, 400, 'BadMessageId'],
    ['an upper-case id', { 'apns-id': 'A8B5E1F0-0000-4000-8000-00000000000A' }, 400, 'BadMessageId'],
    ['an unknown push type', { 'apns-push-type': 'telegram' }, 400, 'InvalidPushType'],
    ['an expiration that is not a number', { 'apns-expiration': 'soon' }, 400, 'BadExpirationDate'],
    ['an expiration in milliseconds', { 'apns-expiration': '1760000000000' }, 400, 'BadExpirationDate'],
    ['an unknown priority', { 'apns-priority': '7' }, 400, 'BadPriority'],
    ['a background push with priority 10', { ...background, 'apns-priority': '10', body: silent }, 400, 'BadPriority'],
    ['a background push without a priority', { 'apns-push-type': 'background', body: silent }, 400, 'BadPriority'],
    ['a background push that displays an alert', { ...background, body: alert(50) }, 400, 'InvalidPushType'],
    ['a collapse id of 65 bytes', { 'apns-collapse-id': `${latin1('é'.repeat(32))}x` }, 400, 'BadCollapseId'],
    ['an empty body', { body: '' }, 400, 'PayloadEmpty'],
    ['a body that is not JSON', { body: 'aps' }, 400, 'PayloadEmpty'],
    ['a body that is a list', { body: '[]' }, 400, 'PayloadEmpty'],
    ['a body of 4097 bytes', { body: alert(4097) }, 413, 'PayloadTooLarge'],
    ['a VoIP body of 5121 bytes', { 'apns-push-type': 'voip', body: alert(5121) }, 413, 'PayloadTooLarge'],
    ['a body of one megabyte', { body: alert(1_000_000) }, 413, 'PayloadTooLarge'],
    ['a device token that is not hex', { token: 'telephone' }, 400, 'BadDeviceToken'],
    ['the reserved token `nobody`', { token: 'nobody' }, 400, 'BadDeviceToken'],
    ['a device token of 64 zeros', { token: '0'.repeat(64) }, 400, 'BadDeviceToken'],
    ['a device token with an odd number of hex digits', { token: 'abc' }, 400, 'BadDeviceToken'],
    ['a device token of 201 characters', { token: `live-${'x'.repeat(196)}` }, 400, 'BadDeviceToken'],
  ];
  for (const [what, change, status, reason] of refusals) {
    test(`${what} returns ${status} ${reason}`, async () => {
      const before = simulator.arrived().length;
      const result = await pushWith(change);
      assert.deepEqual([result.status, result.reason], [status, reason]);
      assert.match(String(result.headers['apns-id']), /^[0-9a-f-]{36}$/);
      assert.equal(simulator.arrived().length, before);
    });
  }
});

test('returns the first of several errors, in the order of Apple’s checks', async () => {
  // Each step fixes the error from the previous step.
  const steps: readonly (readonly [string, Change])[] = [
    ['MethodNotAllowed', {}],
    ['BadPath', { method: 'POST' }],
    ['MissingProviderToken', { path: '/3/device/dead-or-not' }],
    ['MissingTopic', { authorization: headers.authorization }],
    ['BadMessageId', { 'apns-topic': simulator.credentials.topic }],
    ['InvalidPushType', { 'apns-id': undefined }],
    ['BadExpirationDate', { 'apns-push-type': undefined }],
    ['BadPriority', { 'apns-expiration': undefined }],
    ['BadCollapseId', { 'apns-priority': undefined }],
    ['PayloadTooLarge', { 'apns-collapse-id': undefined }],
    ['Unregistered', { body: silent }],
  ];
  let change: Change = {
    method: 'PUT',
    path: '/nowhere',
    authorization: undefined,
    'apns-topic': undefined,
    'apns-id': 'x',
    'apns-push-type': 'x',
    'apns-expiration': 'x',
    'apns-priority': 'x',
    'apns-collapse-id': 'x'.repeat(65),
    body: alert(5000),
  };
  for (const [reason, repair] of steps) {
    change = { ...change, ...repair };
    assert.equal((await pushWith(change)).reason, reason);
  }
});

describe('requests that both Apple and the APNs simulator accept', () => {
  const good: readonly (readonly [string, Change])[] = [
    ['a body of 4096 bytes', { body: alert(4096) }],
    ['a VoIP body of 5120 bytes', { 'apns-push-type': 'voip', body: alert(5120) }],
    ['a collapse id of 64 bytes', { 'apns-collapse-id': latin1('é'.repeat(32)) }],
    ['a silent background push', { ...background, body: silent }],
    ['a payload without aps', { body: '{}' }],
    ['a hex token of any length', { token: 'AB'.repeat(40) }],
  ];
  for (const [what, change] of good) {
    test(what, async () => {
      assert.equal((await pushWith(change)).status, 200);
    });
  }
});

test('records an accepted push with all its headers and its payload', async () => {
  const apnsId = 'a8b5e1f0-0000-4000-8000-00000000000a';
  const result = await pushWith({
    token: 'live-logged',
    'apns-id': apnsId,
    'apns-push-type': 'alert',
    'apns-priority': '5',
    'apns-expiration': '1760000000',
    'apns-collapse-id': latin1('caf\u00e9'),
    body: '{"aps":{"alert":{"title":"T"}},"ext":{"n":1}}',
  });
  assert.equal(result.headers['apns-id'], apnsId);
  assert.equal(result.headers['apns-unique-id'], undefined);
  assert.equal(result.text, '');
  const [{ at, ...arrival } = { at: 0 }] = simulator.arrived('live-logged');
  assert.ok(Date.now() - at < 10_000);
  assert.deepEqual(arrival, {
    environment: 'production',
    token: 'live-logged',
    apns_id: apnsId,
    topic: 'com.example.carillon',
    push_type: 'alert',
    priority: 5,
    expiration: 1_760_000_000,
    collapse_id: 'café',
    payload: { aps: { alert: { title: 'T' } }, ext: { n: 1 } },
  });
});

test('runs the sandbox as a separate server that adds a unique id', async () => {
  await using sandbox = await openConnection(simulator, 'sandbox');
  const result = await push(sandbox, { token: 'live-sandbox', headers });
  assert.equal(result.status, 200);
  assert.match(String(result.headers['apns-unique-id']), /^[0-9a-f-]{36}$/);
  assert.equal(simulator.arrived('live-sandbox')[0]?.environment, 'sandbox');
});

describe('token name prefixes', () => {
  test('a live- token is accepted', async () => {
    assert.equal((await pushWith({ token: 'live-1' })).status, 200);
  });
  test('a dead- token returns 410 with the current time in milliseconds', async () => {
    const { status, reason, timestamp } = await pushWith({ token: 'dead-1' });
    assert.deepEqual([status, reason], [410, 'Unregistered']);
    assert.ok(Math.abs(Number(timestamp) - Date.now()) < 10_000);
  });
  test('a dead-since- token returns 410 with the given time', async () => {
    assert.equal((await pushWith({ token: 'dead-since-1700000000000-x' })).timestamp, 1_700_000_000_000);
  });
  test('a busy- token returns 429 and a down- token returns 503', async () => {
    const { status, reason } = await pushWith({ token: 'busy-1' });
    assert.deepEqual([status, reason], [429, 'TooManyRequests']);
    const down = await pushWith({ token: 'down-1' });
    assert.deepEqual([down.status, down.reason], [503, 'ServiceUnavailable']);
  });
  test('a push to a slow- token is accepted after a delay', async () => {
    const start = performance.now();
    assert.equal((await pushWith({ token: 'slow-1' })).status, 200);
    assert.ok(performance.now() - start >= SLOW_MS - 10);
    assert.equal(simulator.arrived('slow-1').length, 1);
  });
  test('a push to a half- token is delivered, but the sender receives neither a response nor an error', async () => {
    const { status, errorCode, text } = await pushWith({ token: 'half-1' });
    assert.deepEqual([status, errorCode, text], [undefined, undefined, '']);
    assert.equal(simulator.arrived('half-1').length, 1);
  });
});

/** Returns a string with one character per UTF-8 byte, because Node's HTTP/2 writes one byte per character. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
