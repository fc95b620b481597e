import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { oppo } from '#src/vendors/oppo/oppo.ts';
import type { Receipt } from '#src/vendors/translate/receipt.ts';
import type { Vendor, VendorAccount, VendorRequest, VendorResponse } from '#src/vendors/vendor.ts';
import { xiaomi } from '#src/vendors/xiaomi/xiaomi.ts';
import type { Post } from '../../simulators/kit/receipts.ts';
import { HttpsClient } from '../../simulators/kit/test-client.ts';
import { toPost as toOppoPost } from '../../simulators/oppo/receipts.ts';
import { startOppoSimulator } from '../../simulators/oppo/simulator.ts';
import { toPost as toXiaomiPost } from '../../simulators/xiaomi/receipts.ts';
import { startXiaomiSimulator } from '../../simulators/xiaomi/simulator.ts';

const RUNS = 150;
const HOUR_SECONDS = 3_600;
const SHOW_END_TIME = BigInt(Math.floor(Date.now() / 1_000) + HOUR_SECONDS);

interface RunningSimulator {
  readonly sendUrl: string;
  readonly tokenUrl: string;
  readonly caPem: string;
  readonly accounts: readonly VendorAccount[];
  stop(): Promise<void>;
}

const account = { appId: 'b', environment: 1, version: 1, certificate: '' } as const;

/** The simulators do not use Carillon's code, so they check requests only against the vendors' rules. */
const vendors: readonly (readonly [Vendor<unknown>, () => Promise<RunningSimulator>])[] = [
  [
    xiaomi as Vendor<unknown>,
    async () => {
      const simulator = await startXiaomiSimulator();
      const { appId: vendorAppId, appKey, appSecret, packageNames: package_names } = simulator.app;
      const settings = [
        { package_names },
        { package_names, channel_id: '100123' },
        { package_names, channel_id: '100124', template_id: 'P10001' },
      ];
      const accounts = settings.map((each) => JSON.stringify(each));
      return {
        ...simulator,
        accounts: accounts.map((certificate) => ({ ...account, vendorAppId, appKey, appSecret, certificate })),
      };
    },
  ],
  [
    oppo as Vendor<unknown>,
    async () => {
      const simulator = await startOppoSimulator();
      const { appId: vendorAppId, appKey, masterSecret: appSecret } = simulator.app;
      const accounts = ['', '{"channel_id":"c","category":"IM","notify_level":16}'];
      return {
        ...simulator,
        accounts: accounts.map((certificate) => ({ ...account, vendorAppId, appKey, appSecret, certificate })),
      };
    },
  ],
];

const text = (maxLength: number) =>
  fc
    .array(fc.constantFrom('a', ' ', '"', '\n', '+', '&', '%', '钟', '🔔', '👩‍👩‍👧', '🇩🇪', 'e\u0301', '1️⃣'), {
      minLength: 1,
      maxLength,
      size: 'max', // otherwise few texts would be too long
    })
    .map((parts) => parts.join(''));
const intents = ['component=com.example/com.example.Page;S.room=7%25', 'action=a;component=com.example/.Page'];
const click = fc.constantFrom<object>(
  {},
  { click_action: 'open_app' },
  ...intents.map((rest) => ({ click_action: 'intent', intent: `intent:#Intent;${rest};end` })),
);
const parameters = (own: Record<string, fc.Arbitrary<string>>) =>
  fc
    .tuple(
      fc.record(
        { sound: fc.constantFrom('bell', 'bell.mp3', '/raw/bell', 'none', 'default'), ...own },
        { requiredKeys: [] },
      ),
      click,
    )
    .map(([options, page]) => ({ ...options, ...page }));

const messages = fc.record(
  {
    type: fc.constantFrom('text', 'image', 'cmd'),
    badge: fc.constantFrom('0', '7', '100', '999999999', '+0', '+1', '+100'),
    title: text(60),
    body: text(300),
    big_text: text(300),
    attachment_url: fc.constantFrom('https://example.com/a.png', 'http://example.com/a.png'),
    ext: fc.oneof(
      fc.record({ id: fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }) }),
      fc.integer({ min: 0, max: 4_090 }).map((length) => ({ x: 'x'.repeat(length) })),
    ),
    show_end_time: fc.constant(SHOW_END_TIME),
    android: parameters({ channel_id: fc.constant('news') }),
    xiaomi: parameters({}),
    oppo: parameters({ channel_id: fc.constant('own'), category: fc.constantFrom('IM', 'MARKETING') }),
  },
  { requiredKeys: ['type', 'badge'] },
);

for (const [vendor, start] of vendors) {
  describe(`requests to ${vendor.name}`, () => {
    let simulator: RunningSimulator;
    let client: HttpsClient;
    let tasks = 0n;
    before(async () => {
      simulator = await start();
      client = new HttpsClient(simulator.caPem);
    });
    after(async () => {
      await client[Symbol.asyncDispose]();
      await simulator.stop();
    });

    async function post(url: string, { path, headers, body }: VendorRequest): Promise<VendorResponse> {
      const { status, headers: answered, text: answer } = await client.post(url + path, body, headers);
      return { status: status ?? 0, headers: answered, body: answer };
    }

    async function credentialsOf(given: VendorAccount): Promise<unknown> {
      const source = vendor.tokenSource(given, new Date());
      if (source?.kind !== 'requested') return vendor.toCredentials(given, undefined);
      const made = source.toToken(await post(simulator.tokenUrl, await source.toRequest(new Date())));
      assert.ok('token' in made, JSON.stringify(made));
      return vendor.toCredentials(given, made.token);
    }

    const send = async (message: Message, tokens: readonly string[], credentials: unknown) => {
      const now = new Date();
      const notAfter = new Date(Number(SHOW_END_TIME) * 1_000);
      const taskId = ++tasks;
      const notification = { taskId, deviceId: 1n, reference: '7.1.9', message, badge: undefined, notAfter };
      const request = vendor.toRequest(notification, tokens, credentials, now);
      return vendor.toOutcomes(await post(simulator.sendUrl, request), tokens);
    };

    test('are accepted for every message, unless Carillon predicts the rejection', async () => {
      const accounts = await Promise.all(simulator.accounts.map(credentialsOf));
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(messages, fc.constantFrom(...accounts), async (given, credentials) => {
          const message = given as Message;
          const outcomes = await send(message, ['live-1', 'live-2'], credentials);
          if (outcomes.every(({ kind }) => kind === 'accepted')) return;
          refused++;
          assert.deepEqual(
            outcomes.map(({ kind }) => kind),
            ['refused', 'refused'],
          );
          assert.match(vendor.cuts(message, 'en')[0] ?? '', /^The message is rejected/, JSON.stringify(outcomes[0]));
        }),
        { numRuns: RUNS },
      );
      assert.ok(refused < RUNS * 0.75, `${refused} messages were rejected`);
    });

    test('return the outcome of each token', async () => {
      const credentials = await credentialsOf(simulator.accounts[0] as VendorAccount);
      const message: Message = { type: 'text', badge: '+1', title: 'Ding', body: 'dong' };
      const kinds = async (...tokens: readonly string[]) =>
        (await send(message, tokens, credentials)).map(({ kind }) => kind);
      assert.deepEqual(await kinds('live-1', 'dead-1', 'live-2'), ['accepted', 'token-dead', 'accepted']);
      assert.deepEqual(await kinds('dead-1', 'dead-2'), ['token-dead', 'token-dead']);
      assert.deepEqual(await kinds('busy-1'), ['throttled']);
      assert.deepEqual(await kinds('down-1'), ['unreachable']);
    });
  });
}

test('a token from another region is rejected without being sent to OPPO', async () => {
  await using simulator = await startOppoSimulator();
  await using client = new HttpsClient(simulator.caPem);
  const { appId: vendorAppId, appKey, masterSecret: appSecret } = simulator.app;
  const given = { ...account, vendorAppId, appKey, appSecret };
  const source = oppo.tokenSource(given, new Date());
  assert.ok(source?.kind === 'requested');
  const post = async ({ path, headers, body }: VendorRequest) => {
    const { status = 0, headers: answered, text: answer } = await client.post(simulator.sendUrl + path, body, headers);
    return { status, headers: answered, body: answer };
  };
  const made = source.toToken(await post(await source.toRequest(new Date())));
  assert.ok('token' in made);
  const tokens = ['OPPO_IN_0123456789abcdef0123456789abcdef', 'live-1'];
  const message: Message = { type: 'text', badge: '+1', body: 'dong' };
  const notification = { taskId: 7n, deviceId: 1n, reference: '7.1.9', message, badge: 1, notAfter: new Date(8e15) };
  const request = oppo.toRequest(notification, tokens, oppo.toCredentials(given, made.token), new Date());
  assert.ok(!request.body.includes('OPPO_IN'));
  const kinds = oppo.toOutcomes(await post(request), tokens).map(({ kind }) => kind);
  assert.deepEqual(kinds, ['refused', 'accepted']);
});

describe('receipts from the simulators', () => {
  const atMs = Date.now();
  const address = { url: '', version: 'V1', userName: undefined, key: undefined, keyMode: 'text', delayMs: 0 } as const;
  const good = { hasBadSignature: false, isOld: false };
  const expectedReceipts = (status: number) => [
    { appId: '1', token: 't+1', biTag: '7.1.9', requestId: '157', status, atMs },
  ];
  const receipt = (kind: Receipt['kind'], code: string) => [
    {
      token: 't+1',
      reference: '7.1.9',
      at: new Date(atMs),
      kind,
      code,
      ...(kind === 'token-dead' && { suspect: true }),
    },
  ];
  /** Reads a callback in the same way as the `/callback` route. */
  const read = (vendor: Vendor<unknown>, { headers, body }: Post) => {
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    return vendor.receipts?.read(isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body));
  };

  const types = [
    [1, 'delivered'],
    [2, 'clicked'],
    [16, 'token-dead'],
    [128, 'failed'],
  ] as const;
  for (const [type, kind] of types)
    test(`Xiaomi status ${type} means ${kind}`, () => {
      const post = toXiaomiPost(expectedReceipts(type), { ...address, status: undefined }, good);
      assert.deepEqual(read(xiaomi as Vendor<unknown>, post), receipt(kind, String(type)));
    });

  const events = [
    [1, 'delivered', 'push_arrive'],
    [2, 'token-dead', 'regid_invalid'],
    [3, 'failed', 'user_daily_limit'],
    [9, 'failed', 'event_9'],
  ] as const;
  for (const [status, kind, code] of events)
    test(`OPPO event ${code} means ${kind}`, () => {
      const post = toOppoPost(expectedReceipts(status), { ...address, status: undefined }, good);
      assert.deepEqual(read(oppo as Vendor<unknown>, post), receipt(kind, code));
    });
});
