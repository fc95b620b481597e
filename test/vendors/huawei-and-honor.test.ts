import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { harmony } from '#src/vendors/harmony/harmony.ts';
import { honor } from '#src/vendors/honor/honor.ts';
import { huawei } from '#src/vendors/huawei/huawei.ts';
import type { Vendor, VendorAccount, VendorRequest, VendorResponse } from '#src/vendors/vendor.ts';
import { startHarmonySimulator } from '../../simulators/harmony/simulator.ts';
import { startHonorSimulator } from '../../simulators/honor/simulator.ts';
import { startHuaweiSimulator } from '../../simulators/huawei/simulator.ts';
import { HttpsClient } from '../../simulators/kit/test-client.ts';

const RUNS = 150;

interface RunningSimulator {
  readonly sendUrl: string;
  readonly tokenUrl: string;
  readonly caPem: string;
  readonly accounts: readonly Partial<VendorAccount>[];
  stop(): Promise<void>;
}

/** The simulators do not use Carillon's code, so they check requests only against the vendors' rules. */
const vendors: readonly (readonly [Vendor<unknown>, () => Promise<RunningSimulator>])[] = [
  [
    huawei as Vendor<unknown>,
    async () => {
      const simulator = await startHuaweiSimulator();
      const { appId: vendorAppId, appSecret, projectId } = simulator.app;
      const file = JSON.parse(simulator.serviceAccountJson) as object;
      const certificate = JSON.stringify({ ...file, category: 'IM', importance: 'LOW' });
      const accounts = [
        { vendorAppId, appSecret },
        { vendorAppId, appSecret, appKey: projectId, environment: 0, certificate },
      ] as const;
      return { ...simulator, accounts };
    },
  ],
  [
    harmony as Vendor<unknown>,
    async () => {
      const simulator = await startHarmonySimulator();
      const vendorAppId = simulator.app.projectId;
      const certificate = simulator.serviceAccountJson;
      const file = JSON.parse(certificate) as object;
      const accounts = [
        { vendorAppId, certificate },
        { vendorAppId, environment: 0, certificate: JSON.stringify({ ...file, category: 'IM', receipt_id: 'r' }) },
      ] as const;
      return { ...simulator, accounts };
    },
  ],
  [
    honor as Vendor<unknown>,
    async () => {
      const simulator = await startHonorSimulator();
      const { appId: vendorAppId, clientId: appKey, clientSecret: appSecret } = simulator.app;
      const certificate = '{"importance":"LOW"}';
      const accounts = [
        { vendorAppId, appKey, appSecret },
        { vendorAppId, appKey, appSecret, environment: 0, certificate },
      ] as const;
      return { ...simulator, accounts };
    },
  ],
];

const text = (maxLength: number) =>
  fc
    .array(fc.constantFrom('a', '"', '\n', '钟', '🔔', '👩‍👩‍👧', '🇩🇪', 'e\u0301'), {
      minLength: 1,
      maxLength,
      size: 'max', // otherwise few texts would be too long
    })
    .map((parts) => parts.join(''));
const android = {
  sound: fc.constantFrom('bell', 'bell.mp3', '/raw/bell', 'none', 'default'),
  channel_id: fc.constant('news'),
};
const click = fc.constantFrom<object>(
  {},
  { click_action: 'open_app' },
  { click_action: 'intent', intent: 'intent:#Intent;component=com.example/com.example.Page;S.room=7;end' },
);
const parameters = (extra: Record<string, fc.Arbitrary<string>>) =>
  fc
    .tuple(fc.record({ ...android, ...extra }, { requiredKeys: [] }), click)
    .map(([own, page]) => ({ ...own, ...page }));
const badge_class = fc.constant('com.example.Main');

const messages = fc.record(
  {
    type: fc.constantFrom('text', 'image', 'cmd'),
    badge: fc.constantFrom('0', '7', '100', '999999999', '+0', '+1', '+100'),
    title: text(60),
    body: text(800),
    big_text: text(1_600),
    attachment_url: fc.constantFrom('https://example.com/a.png', 'http://example.com/a.png'),
    ext: fc.oneof(
      fc.record({ id: fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }) }),
      fc.integer({ min: 0, max: 4_090 }).map((length) => ({ x: 'x'.repeat(length) })),
    ),
    android: parameters({}),
    huawei: parameters({ badge_class, category: fc.constantFrom('IM', 'MARKETING') }),
    harmony: fc.record(
      {
        category: fc.constantFrom('IM', 'MARKETING'),
        sound: fc.constantFrom('bell.mp3', 'none', 'default'),
        action: fc.constant('com.example.page'),
        uri: fc.constant('https://example.com/page'),
        collapse_key: fc.integer({ min: -1, max: 100 }),
        foreground_show: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    honor: parameters({ badge_class, category: fc.constantFrom('LOW', 'NORMAL', 'IM') }),
  },
  { requiredKeys: ['type', 'badge'] },
);

for (const [vendor, start] of vendors) {
  describe(`requests to ${vendor.name}`, () => {
    let simulator: RunningSimulator;
    let client: HttpsClient;
    before(async () => {
      simulator = await start();
      client = new HttpsClient(simulator.caPem);
    });
    after(async () => {
      await client[Symbol.asyncDispose]();
      await simulator.stop();
    });

    async function post(url: string, { path, headers, body }: VendorRequest): Promise<VendorResponse> {
      const { status, headers: answered, json } = await client.post(url + path, body, headers);
      return { status: status ?? 0, headers: answered, body: JSON.stringify(json) };
    }

    async function credentialsOf(change: Partial<VendorAccount>): Promise<unknown> {
      const account = {
        appId: 'b',
        environment: 1,
        vendorAppId: '',
        appKey: '',
        appSecret: '',
        certificate: '',
        version: 1,
        ...change,
      } as const;
      const source = vendor.tokenSource(account, new Date());
      assert.ok(source);
      const made =
        source.kind === 'signed'
          ? await source.sign(new Date())
          : source.toToken(await post(simulator.tokenUrl, await source.toRequest(new Date())));
      assert.ok('token' in made, JSON.stringify(made));
      return vendor.toCredentials(account, made.token);
    }

    const send = async (message: Message, tokens: readonly string[], credentials: unknown) => {
      const now = new Date();
      const notAfter = new Date(now.getTime() + 3_600_000);
      const notification = { taskId: 7n, deviceId: 1n, reference: '7.1.9', message, badge: undefined, notAfter };
      return vendor.toOutcomes(
        await post(simulator.sendUrl, vendor.toRequest(notification, tokens, credentials, now)),
        tokens,
      );
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
      assert.ok(refused < RUNS / 2, `${refused} messages were rejected`);
    });

    test('return the outcome of each token', async () => {
      const credentials = await credentialsOf(simulator.accounts[0] ?? {});
      const message: Message = { type: 'text', badge: '+1', title: 'Ding', body: 'dong' };
      const kinds = async (...tokens: readonly string[]) =>
        (await send(message, tokens, credentials)).map(({ kind }) => kind);
      assert.deepEqual(await kinds('live-1', 'dead-1', 'live-2'), ['accepted', 'token-dead', 'accepted']);
      assert.deepEqual(await kinds('dead-1'), ['token-dead']);
      assert.deepEqual(await kinds('busy-1'), ['throttled']);
      assert.deepEqual(await kinds('down-1'), ['unreachable']);
    });

    if (vendor.urls.token !== undefined)
      test('report a wrong secret', async () => {
        await assert.rejects(credentialsOf({ ...simulator.accounts[0], appSecret: 'wrong' }), /locked-out/);
      });
  });
}
