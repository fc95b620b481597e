import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { webPushLibrary } from '../../test/vendors/web-push-peers.ts';
import { HttpsClient } from '../kit/test-client.ts';
import { startWebPushSimulator, type WebPushSimulator } from './simulator.ts';
import { endpointOf, serviceHosts, subscriptionOf } from './subscriptions.ts';

const SLOW_MS = 300;

let simulator: WebPushSimulator;
let client: HttpsClient;
before(async () => {
  simulator = await startWebPushSimulator({ slowMs: SLOW_MS });
  client = new HttpsClient(simulator.caPem);
});
after(async () => {
  await client[Symbol.asyncDispose]();
  await simulator.stop();
});
beforeEach(async () => {
  await fetch(`${simulator.controlUrl}/arrived`, { method: 'DELETE' });
});

const vapidKeys = webPushLibrary.generateVAPIDKeys();
const message = {
  web_push: 8030,
  notification: { title: 'Sale', navigate: 'https://example.com/', data: { mid: '7' } },
};

interface Change {
  readonly host?: string;
  readonly payload?: object;
  readonly subject?: string;
  readonly options?: object;
  /** Headers to replace. `undefined` omits a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: Buffer;
}

/** Sends a message of the library web-push, with changed parts. It shares no code with Carillon's sender. */
function send(name = 'live-1', change: Change = {}) {
  const { host = serviceHosts.apple, subject = 'mailto:push@example.com' } = change;
  const details = webPushLibrary.generateRequestDetails(
    JSON.parse(subscriptionOf(name, host)),
    JSON.stringify(change.payload ?? message),
    { vapidDetails: { subject, ...vapidKeys }, TTL: 60, urgency: 'high', topic: 'tower', ...change.options },
  );
  const headers = Object.fromEntries(
    Object.entries({ ...details.headers, ...change.headers })
      .filter(([, value]) => value !== undefined)
      .map(([header, value]) => [header, String(value)]),
  );
  const body = change.body ?? details.body;
  if (change.body) headers['Content-Length'] = String(body.length);
  const { pathname, search } = new URL(endpointOf(name, host));
  return client.post(`${simulator.sendUrl}/${host}${pathname}${search}`, body, headers);
}

describe('messages of the library web-push', () => {
  for (const [service, host] of [...Object.entries(serviceHosts), ['unifiedpush', 'ntfy.example.com']] as const)
    test(`are decrypted and delivered by ${service}`, async () => {
      const { status, headers } = await send('live-1', { host });
      assert.equal(status, 201);
      assert.match(String(headers.location), new RegExp(`^https://${host}/m/[\\w-]+$`));
      const [arrival] = simulator.arrived('live-1');
      assert.partialDeepStrictEqual(arrival, {
        service,
        host,
        token: 'live-1',
        topic: 'tower',
        urgency: 'high',
        ttl: 60,
        payload: message,
        is_declarative: true,
      });
    });

  test('are declarative only with a title and a page to open', async () => {
    await send('live-1', { payload: { web_push: 8030, notification: { title: 'Sale' } } });
    await send('live-2', { payload: { notification: message.notification } });
    assert.deepEqual(
      simulator.arrived().map(({ is_declarative }) => is_declarative),
      [false, false],
    );
  });
});

describe('rejected requests', () => {
  const { google, mozilla, apple, windows } = serviceHosts;
  const cases: readonly (readonly [string, Change, number, RegExp?])[] = [
    ['no TTL', { headers: { TTL: undefined } }, 400, /BadWebPushRequest/],
    ['a TTL of more than four weeks', { headers: { TTL: '2419201' } }, 400],
    ['another encoding', { headers: { 'Content-Encoding': 'aesgcm' } }, 400],
    ['a topic of 33 characters', { headers: { Topic: 'x'.repeat(33) } }, 400],
    ['an unknown urgency', { headers: { Urgency: 'urgent' } }, 400],
    ['no authorization, at Apple', { headers: { Authorization: undefined } }, 403, /BadJwtToken/],
    ['no authorization, at Google', { host: google, headers: { Authorization: undefined } }, 403, /JWT/],
    ['no authorization, at Mozilla', { host: mozilla, headers: { Authorization: undefined } }, 401, /109/],
    ['no authorization, at Windows', { host: windows, headers: { Authorization: undefined } }, 401],
    ['a subject with localhost, at Apple', { subject: 'mailto:push@localhost' }, 403, /BadJwtToken/],
    ['a subject with .invalid, at Apple', { subject: 'mailto:push@bells.invalid' }, 403, /BadJwtToken/],
    ['a subject with localhost, at Google', { host: google, subject: 'mailto:push@localhost' }, 201],
    ['another byte in the message', { body: randomBytes(200) }, 400],
    ['a body of 4,097 bytes', { body: randomBytes(4_097) }, 413, /PayloadTooLarge/],
  ];
  for (const [what, change, status, text = /^/] of cases)
    test(what, async () => {
      const result = await send('live-1', change);
      assert.equal(result.status, status);
      assert.match(result.text, text);
      assert.equal(simulator.arrived().length, status === 201 ? 1 : 0);
    });

  test('an authorization for another push service', async () => {
    const details = webPushLibrary.generateRequestDetails(JSON.parse(subscriptionOf('live-1', google)), 'x', {
      vapidDetails: { subject: 'mailto:push@example.com', ...vapidKeys },
    });
    const headers = { Authorization: String(details.headers.Authorization) };
    assert.match((await send('live-1', { host: apple, headers })).text, /BadJwtToken/);
  });

  test('an authorization with another signature', async () => {
    const details = webPushLibrary.generateRequestDetails(JSON.parse(subscriptionOf('live-1')), 'x', {
      vapidDetails: { subject: 'mailto:push@example.com', ...vapidKeys },
    });
    const changed = String(details.headers.Authorization).replace(/\.[\w-]{86}, /, `.${'A'.repeat(86)}, `);
    assert.match((await send('live-1', { headers: { Authorization: changed } })).text, /BadJwtToken/);
  });
});

describe('names of subscriptions', () => {
  const { google, mozilla, apple, windows } = serviceHosts;
  const cases: readonly (readonly [string, string, number, RegExp])[] = [
    ['dead-1', apple, 410, /Unregistered/],
    ['dead-1', google, 410, /unsubscribed/],
    ['dead-1', mozilla, 410, /"errno":106/],
    ['dead-1', windows, 410, /^$/],
    ['dead-1', 'ntfy.example.com', 404, /^$/],
    ['foreign-1', google, 403, /do not correspond/],
    ['foreign-1', apple, 400, /VapidPkHashMismatch/],
    ['busy-1', apple, 429, /TooManyRequests/],
    ['down-1', mozilla, 503, /"errno":201/],
  ];
  for (const [name, host, status, text] of cases)
    test(`${name} at ${host}: ${status}`, async () => {
      const result = await send(name, { host });
      assert.equal(result.status, status);
      assert.match(result.text, text);
      assert.deepEqual(simulator.arrived(), []);
    });

  test('slow and half messages are delivered', async () => {
    const start = performance.now();
    assert.equal((await send('slow-1')).status, 201);
    assert.ok(performance.now() - start >= SLOW_MS - 5);
    await send('half-1');
    assert.deepEqual(
      simulator.arrived().map(({ token }) => token),
      ['slow-1', 'half-1'],
    );
  });
});
