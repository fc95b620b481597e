import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { fcm } from '#src/vendors/fcm/fcm.ts';
import type { Notification, VendorAccount, VendorRequest, VendorResponse } from '#src/vendors/vendor.ts';
import { type FcmSimulator, startFcmSimulator } from '../../simulators/fcm/simulator.ts';
import { openConnection, post } from '../../simulators/fcm/test-client.ts';

/** Tests the FCM vendor module against the FCM simulator, with only a plain HTTP/2 client between them. */

type Connection = Awaited<ReturnType<typeof openConnection>>;

let simulator: FcmSimulator;
let connection: Connection;
let accessToken: string;

before(async () => {
  simulator = await startFcmSimulator({ slowMs: 1 });
  connection = await openConnection(simulator.sendUrl, simulator.caPem);
  const token = await askToken(accountOf(simulator));
  assert.ok('token' in token);
  assert.equal(token.lifetimeSeconds, 3_599);
  accessToken = token.token;
});
after(async () => {
  await connection[Symbol.asyncDispose]();
  await simulator.stop();
});

const accountOf = ({ certificate }: FcmSimulator, change: Partial<VendorAccount> = {}): VendorAccount => ({
  appId: 'app-1',
  environment: 1,
  vendorAppId: certificate.app_id,
  appKey: certificate.app_key,
  appSecret: certificate.app_secret,
  certificate: certificate.certificate,
  version: 1,
  ...change,
});

async function replyTo(connection: Connection, request: VendorRequest): Promise<VendorResponse> {
  const { status = 0, headers, text } = await post(connection, request);
  return { status, headers, body: text };
}

async function askToken(account: VendorAccount) {
  const source = fcm.tokenSource(account, new Date());
  assert.ok(source?.kind === 'requested');
  await using tokens = await openConnection(simulator.tokenUrl, simulator.caPem);
  return source.toToken(await replyTo(tokens, await source.toRequest(new Date())));
}

const notificationOf = (message: Partial<Message>): Notification => ({
  taskId: 1n,
  deviceId: 64n,
  reference: '1.2.3',
  message: { type: 'text', badge: '+1', body: 'ding', ...message },
  badge: undefined,
  notAfter: new Date(Date.now() + 60_000),
});

async function outcomeOf(token: string, message: Partial<Message> = {}, change: Partial<VendorAccount> = {}) {
  const credentials = fcm.toCredentials(accountOf(simulator, change), accessToken);
  const request = fcm.toRequest(notificationOf(message), [token], credentials, new Date());
  const outcomes = fcm.toOutcomes(await replyTo(connection, request), [token]);
  assert.equal(outcomes.length, 1);
  return outcomes[0];
}

describe('the outcome of each kind of token', () => {
  test('live and slow tokens are accepted, with the id from Google', async () => {
    for (const token of ['live-1', 'slow-1', 'cGhvbmUtb2Ytc29tZW9uZ_']) {
      const outcome = await outcomeOf(token);
      const channelMessageId = simulator.arrived(token)[0]?.name.split('/').at(-1);
      assert.deepEqual(outcome, { kind: 'accepted', channelMessageId });
    }
    assert.equal(simulator.arrived('cGhvbmUtb2Ytc29tZW9uZ_')[0]?.target, 'fid');
  });

  const others = [
    ['dead-1', { kind: 'token-dead', reason: 'UNREGISTERED' }],
    ['foreign-1', { kind: 'token-dead', reason: 'SENDER_ID_MISMATCH', suspect: true }],
    ['a token', { kind: 'token-dead', reason: 'INVALID_ARGUMENT message.token', suspect: true }],
    ['busy-1', { kind: 'throttled', retryAfterSeconds: 7, account: true }],
    ['down-1', { kind: 'unreachable', reason: 'UNAVAILABLE' }],
  ] as const;
  for (const [token, outcome] of others)
    test(`${token}: ${outcome.kind}`, async () => assert.deepEqual(await outcomeOf(token), outcome));
});

test('a message that is too large even after truncation is rejected, and its token stays valid', async () => {
  const outcome = await outcomeOf('live-1', { title: 'x'.repeat(5_000) });
  assert.deepEqual(outcome, { kind: 'refused', reason: 'INVALID_ARGUMENT' });
});

describe('credentials', () => {
  const check = async (change: Partial<VendorAccount>, token = accessToken) => {
    const request = fcm.toCheckRequest?.(
      fcm.toCredentials(accountOf(simulator, change), token),
      new Date(),
    ) as VendorRequest;
    return fcm.toOutcomes(await replyTo(connection, request), ['nobody'])[0];
  };

  test('that are valid are not locked out, and their check sends no notification', async () => {
    assert.equal((await check({}))?.kind, 'token-dead');
    assert.deepEqual(simulator.arrived('nobody'), []);
  });

  test('of another project are locked out', async () => {
    assert.deepEqual(await check({ vendorAppId: 'nobodys' }), { kind: 'locked-out', reason: 'NOT_FOUND' });
  });

  test('with an expired access token have the outcome stale-token', async () => {
    const outcome = await check({}, 'ya29.stranger');
    assert.deepEqual(outcome, { kind: 'stale-token', reason: 'UNAUTHENTICATED ACCESS_TOKEN_EXPIRED' });
  });

  test('of an account that does not exist get no access token', async () => {
    const file = JSON.parse(simulator.certificate.certificate);
    const certificate = JSON.stringify({ ...file, client_email: 'gone@example.com' });
    const reason = 'invalid_grant: Invalid grant: account not found';
    assert.deepEqual(await askToken(accountOf(simulator, { certificate })), { kind: 'locked-out', reason });
  });
});

test('the FCM simulator accepts the request for every message', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 1_500 });
  const word = fc.string({ minLength: 1, maxLength: 40 });
  const parameters = fc.record(
    {
      sound: fc.oneof(word, fc.constantFrom('default', 'none')),
      channel_id: word,
      click_action: fc.constantFrom('intent', 'open_app'),
      intent: fc.oneof(word, fc.constant('intent:#Intent;action=com.example.RING;end')),
    },
    { requiredKeys: [] },
  );
  const message = fc.record(
    {
      type: fc.constantFrom('text', 'image', 'cmd'),
      title: fc.string({ unit: 'grapheme', maxLength: 60 }),
      body: text,
      big_text: text,
      badge: fc.oneof(
        fc.nat({ max: 2 ** 31 - 1 }).map((count) => `+${count}`),
        fc.nat({ max: 2 ** 31 - 1 }).map(String),
      ),
      attachment_url: fc.webUrl({ size: 'small' }),
      ext: fc.dictionary(fc.constantFrom('from', 'gcm.x', 'google.y', 'k'), fc.jsonValue({ maxDepth: 1 })),
      android: parameters,
      fcm: parameters,
    },
    { requiredKeys: ['type', 'badge'] },
  );
  await fc.assert(
    fc.asyncProperty(message, async (generated) => {
      // A data-only message is never cut, so its fields are kept small in this test.
      const fits = generated.type === 'cmd' ? { ...generated, body: generated.body?.slice(0, 100) ?? '' } : generated;
      assert.equal((await outcomeOf('live-any', fits as Partial<Message>))?.kind, 'accepted', JSON.stringify(fits));
    }),
    { numRuns: 200 },
  );
});
