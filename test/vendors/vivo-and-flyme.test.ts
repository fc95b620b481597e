import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Message } from '#src/domain/message.ts';
import { flyme } from '#src/vendors/flyme/flyme.ts';
import type { Notification, Vendor, VendorAccount, VendorRequest, VendorResponse } from '#src/vendors/vendor.ts';
import { vivo } from '#src/vendors/vivo/vivo.ts';
import { toPost as toFlymePost } from '../../simulators/flyme/receipts.ts';
import { startFlymeSimulator } from '../../simulators/flyme/simulator.ts';
import { HttpsClient } from '../../simulators/kit/test-client.ts';
import { toPost as toVivoPost } from '../../simulators/vivo/receipts.ts';
import { startVivoSimulator } from '../../simulators/vivo/simulator.ts';

const RUNS = 150;
const HOUR_SECONDS = 3_600;
const SHOW_END_TIME = BigInt(Math.floor(Date.now() / 1_000) + HOUR_SECONDS);

interface RunningSimulator {
  readonly sendUrl: string;
  readonly controlUrl: string;
  readonly caPem: string;
  readonly app: { readonly appId: string; readonly appKey: string; readonly appSecret: string };
  stop(): Promise<void>;
}

/** The simulators do not use Carillon's code, so they check requests only against the vendors' rules. */
const vendors: readonly (readonly [Vendor<unknown>, () => Promise<RunningSimulator>, readonly string[]])[] = [
  [
    vivo as Vendor<unknown>,
    startVivoSimulator,
    [
      '',
      '{"category":"IM","callback_id":"77"}',
      '{"category":"IM","default_classification":1,"add_badge":true}',
      '{"category":"NEWS","add_badge":false}',
    ],
  ],
  [
    flyme as Vendor<unknown>,
    () => startFlymeSimulator({ perMinuteMax: 100_000 }),
    ['', '{"notice_msg_type":1,"package_names":["com.example.carillon"],"receipt_access_token":"x","vip":true}'],
  ],
];

const text = (maxLength: number) =>
  fc
    .array(fc.constantFrom('a', '"', '\n', '&', '+', '%', '钟', '🔔', '👩‍👩‍👧', '🇩🇪', 'e\u0301'), {
      minLength: 1,
      maxLength,
    })
    .map((parts) => parts.join(''));
const parameters = (extra: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc
    .tuple(
      fc.record(
        { sound: fc.constantFrom('bell', 'none', 'default'), channel_id: fc.constant('news'), ...extra },
        { requiredKeys: [] },
      ),
      fc.constantFrom<object>(
        {},
        { click_action: 'open_app' },
        { click_action: 'intent', intent: 'intent:#Intent;component=com.example/.Page;S.room=a%20b;i.floor=7;end' },
      ),
    )
    .map(([own, page]) => ({ ...own, ...page }));

const messages = fc.record(
  {
    type: fc.constantFrom('text', 'image', 'cmd'),
    badge: fc.constantFrom('0', '7', '+1'),
    title: text(60),
    body: text(150),
    big_text: text(1_200),
    attachment_url: fc.constantFrom('https://example.com/a.png', `https://example.com/${'a'.repeat(1_000)}`),
    ext: fc.oneof(
      fc.record({ id: fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }) }),
      fc.integer({ min: 0, max: 4_090 }).map((length) => ({ x: 'x'.repeat(length) })),
    ),
    show_end_time: fc.constant(SHOW_END_TIME),
    android: parameters(),
    vivo: parameters({
      category: fc.constantFrom('IM', 'NEWS', 'WEATHER'),
      push_mode: fc.constantFrom(0, 1),
      classification: fc.constantFrom(0, 1),
    }),
    flyme: parameters(),
  },
  { requiredKeys: ['type', 'badge'] },
);

for (const [vendor, start, certificates] of vendors) {
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

    async function post({ path, headers, body }: VendorRequest): Promise<VendorResponse> {
      const { status, headers: responseHeaders, text } = await client.post(simulator.sendUrl + path, body, headers);
      return { status: status ?? 0, headers: responseHeaders, body: text };
    }

    async function credentialsOf(change: Partial<VendorAccount> = {}): Promise<unknown> {
      const { appId: vendorAppId, appKey, appSecret } = simulator.app;
      const own = { vendorAppId, appKey, appSecret, certificate: '' };
      const account = { appId: 'b', environment: 1, version: 1, ...own, ...change } as const;
      const source = vendor.tokenSource(account, new Date());
      if (source === undefined) return vendor.toCredentials(account, undefined);
      assert.ok(source.kind === 'requested');
      const made = source.toToken(await post(await source.toRequest(new Date())));
      assert.ok('token' in made, JSON.stringify(made));
      return vendor.toCredentials(account, made.token);
    }

    async function send(message: Message, tokens: readonly string[], credentials: unknown, more = {}) {
      const now = new Date();
      const notAfter = new Date(Number(SHOW_END_TIME) * 1_000);
      const reference = `${2n ** 63n - 1n}.1023.1048575.${'x'.repeat(16)}`;
      const ids = { taskId: 2n ** 63n - 1n, deviceId: 1n, reference };
      const notification: Notification = { ...ids, message, badge: undefined, notAfter, ...more };
      let prepared: string | undefined;
      if (vendor.prepare && tokens.length > 1) {
        const answer = vendor.prepare.toPreparedId(
          await post(vendor.prepare.toRequest(notification, credentials, now)),
        );
        if (typeof answer !== 'string') return tokens.map(() => answer);
        prepared = answer;
      }
      const request = vendor.toRequest(notification, tokens, credentials, now, prepared);
      return vendor.toOutcomes(await post(request), tokens, prepared);
    }

    test('are accepted for every message, unless Carillon predicts the rejection', async () => {
      const environments = [0, 1] as const;
      const all = environments.flatMap((environment) =>
        certificates.map((certificate) => ({ certificate, environment })),
      );
      const accounts = await Promise.all(all.map(credentialsOf));
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(messages, fc.constantFrom(...accounts), fc.boolean(), async (given, credentials, isList) => {
          const message = given as Message;
          const outcomes = await send(message, isList ? ['live-1', 'live-2'] : ['live-1'], credentials);
          if (outcomes.every(({ kind }) => kind === 'accepted')) return;
          refused++;
          assert.ok(outcomes.every(({ kind }) => kind === 'refused'));
          assert.match(vendor.cuts(message, 'en')[0] ?? '', /^The message is rejected/, JSON.stringify(outcomes[0]));
        }),
        { numRuns: RUNS },
      );
      assert.ok(refused < RUNS / 2, `${refused} messages were rejected`);
    });

    test('return the outcome of each token', async () => {
      const credentials = await credentialsOf();
      const message: Message = { type: 'text', badge: '+1', title: 'Ding', body: 'dong' };
      const kinds = async (...tokens: readonly string[]) =>
        (await send(message, tokens, credentials)).map(({ kind }) => kind);
      const mixed = await kinds('live-1', 'dead-1', 'muted-1', 'foreign-1', 'live-2');
      assert.deepEqual(mixed, ['accepted', 'token-dead', 'refused', 'token-dead', 'accepted']);
      assert.deepEqual(await kinds('dead-1'), ['token-dead']);
      assert.deepEqual(await kinds('muted-1'), ['refused']);
      assert.deepEqual(await kinds('dead-1', 'foreign-1'), ['token-dead', 'token-dead']);
      assert.deepEqual(await kinds('busy-1', 'live-1'), ['throttled', 'throttled']);
      assert.deepEqual(await kinds('down-1'), ['unreachable']);
    });

    test('report an exhausted quota for every token', async () => {
      const credentials = await credentialsOf();
      for (const tokens of [['live-1'], ['live-1', 'live-2']]) {
        const fault = JSON.stringify({ kind: 'quota', requests: 1 });
        await fetch(`${simulator.controlUrl}/faults`, { method: 'POST', body: fault });
        const outcomes = await send({ type: 'text', badge: '+1', body: 'dong' }, tokens, credentials);
        assert.deepEqual(
          outcomes.map(({ kind }) => kind),
          tokens.map(() => 'quota-spent'),
        );
      }
    });
  });
}

describe('receipts from the simulators', () => {
  const reference = '7.1.9';
  const about = { appId: '1', biTag: reference, requestId: '342982232646905856', atMs: 1_697_741_455_082 };
  const good = { hasBadSignature: false, isOld: false };
  const address = (version: 'V1' | 'V2') =>
    ({ url: '', version, userName: undefined, key: 'c68b05', keyMode: 'text', delayMs: 0, status: undefined }) as const;
  const expectedReceipts = (status: number) => ['t1', 't2'].map((token) => ({ ...about, token, status }));

  test('for vivo are parsed in both formats', () => {
    const read = (version: 'V1' | 'V2', status: number) =>
      vivo.receipts?.read(JSON.parse(toVivoPost(expectedReceipts(status), address(version), good).body));
    const arrived = { reference, kind: 'delivered', code: '0' };
    const entries = (at: Date, change: object = {}) =>
      ['t1', 't2'].map((token) => ({ token, ...arrived, at, ...change }));
    assert.deepEqual(read('V2', 0), entries(new Date(about.atMs)));
    assert.deepEqual(read('V2', 3), entries(new Date(about.atMs), { kind: 'failed', code: '3' }));
    assert.deepEqual(read('V1', 0), entries(new Date(0)));
  });

  test('for Meizu are parsed, and verified by their key', () => {
    const formOf = (hasBadSignature: boolean) =>
      Object.fromEntries(
        new URLSearchParams(toFlymePost(expectedReceipts(1), address('V1'), { ...good, hasBadSignature }).body),
      );
    const arrived = { reference, kind: 'delivered', code: '1', at: new Date(0) };
    assert.deepEqual(
      flyme.receipts?.read(formOf(false)),
      ['t1', 't2'].map((token) => ({ token, ...arrived })),
    );
    const isSigned = (form: object) =>
      flyme.receipts?.isSigned?.({}, { userName: 'x', key: 'c68b05' }, new Date(), form);
    assert.deepEqual([isSigned(formOf(false)), isSigned(formOf(true))], [true, false]);
  });
});
