import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { VendorName } from '#src/domain/channel.ts';
import type { Message } from '#src/domain/message.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { checkAccount } from '#src/vendors/check-account.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import { type VendorSend, VendorSender } from '#src/vendors/sender.ts';
import type { Vendor, VendorAccount } from '#src/vendors/vendor.ts';
import { simulatorToken } from '../../scripts/dev/simulator-token.ts';
import { startVendorSimulators, type VendorSimulators } from '../support/vendor-simulators.ts';
import { expectationsByVendor, type VendorExpectations } from './contract-expectations.ts';

/** Long enough for the other tests on a busy machine. */
const LONG_DEADLINE_SECONDS = 10;
const SHORT_DEADLINE_SECONDS = 1;
/** A send counts as hanging if it takes this much longer than its deadline. */
const GRACE_MS = 1_500;
const MINUTE_MS = 60_000;

let vendors: VendorSimulators;
before(async () => {
  vendors = await startVendorSimulators();
});
after(() => vendors[Symbol.asyncDispose]());

const settingsFor = (deadlineSeconds = LONG_DEADLINE_SECONDS) => ({
  CARILLON_VENDOR_DEADLINE_SECONDS: deadlineSeconds,
  CARILLON_VENDOR_PROXY_URL: '',
  CARILLON_VENDOR_PROXY_FOR: '',
  CARILLON_WEBPUSH_HOSTS: '',
  ...vendors.settings,
});

function newSender(deadlineSeconds?: number): VendorSender & Disposable {
  const sender = new VendorSender(settingsFor(deadlineSeconds));
  return Object.assign(sender, { [Symbol.dispose]: () => sender.close() });
}

let tasks = 0n;
const vendorSendsOf = (
  name: VendorName,
  tokens: readonly string[],
  message: Partial<Message> = { body: 'ding' },
  badge = 1,
): VendorSend[] => {
  const taskId = ++tasks;
  return tokens.map((token, i) => ({
    token: simulatorToken(name, token),
    notification: {
      taskId,
      deviceId: BigInt(i) * 64n,
      reference: `${taskId}.2.3`,
      message: { type: 'text', badge: '+1', ...message },
      badge,
      notAfter: new Date(Date.now() + MINUTE_MS),
    },
  }));
};

const numbered = (prefix: string, n: number) => Array.from({ length: n }, (_, i) => `${prefix}-${i}`);
const kindsOf = (outcomes: readonly Outcome[]) => outcomes.map(({ kind }) => kind);
const allOf = (kind: Outcome['kind'], n: number) => new Array<string>(n).fill(kind);

for (const [name, vendor] of Object.entries(vendorRegistry) as [VendorName, Vendor<unknown>][]) {
  const sheet = expectationsByVendor[name] as VendorExpectations;
  /** Number of token names used so far, so that each test uses new names. */
  let rounds = 0;
  const fresh = (fate: string) => `${fate}-${name}${++rounds}`;
  const send = (sender: VendorSender, account: VendorAccount, tokens: readonly string[], now = new Date()) =>
    sender.send(name, account, vendorSendsOf(name, tokens), now);
  const fault = (body: object) => vendors.post(name, '/faults', body);
  const isBatch = vendor.limits.tokensPerRequest > 1;

  describe(`${name} fulfills the vendor contract`, () => {
    afterEach(() => vendors.endFaults(name));

    const fates: readonly (readonly [string, Partial<Outcome>])[] = [
      ['live', { kind: 'accepted' }],
      ['dead', { kind: 'token-dead' }],
      ['busy', { kind: 'throttled', ...sheet.throttledToken }],
      ['down', { kind: 'unreachable' }],
      ['half', { kind: 'unreachable' }],
    ];
    for (const [fate, expected] of fates) {
      test(`a ${fate} token has the outcome ${expected.kind}`, async () => {
        using sender = newSender();
        const [outcome] = await send(sender, vendors.newAccount(name), [fresh(fate)]);
        assert.partialDeepStrictEqual(outcome, expected);
      });
    }

    if (vendor.toRecallRequest) {
      const recall = (sender: VendorSender, tokens: readonly string[]) =>
        sender.recall(name, vendors.newAccount(name), tasks, tokens, new Date());

      for (const [fate, expected] of fates)
        test(`the recall from a ${fate} token has the outcome ${expected.kind}`, async () => {
          using sender = newSender();
          const [outcome] = await recall(sender, [fresh(fate)]);
          assert.equal(outcome?.kind, expected.kind);
        });

      test('a recall removes the notification of its task and no other, and can be repeated', async () => {
        using sender = newSender();
        const token = fresh('live');
        await send(sender, vendors.newAccount(name), [token]);
        await send(sender, vendors.newAccount(name), [token]);
        const recalled = async () => {
          const { arrived } = await vendors.get<{ arrived: { recalled?: true }[] }>(name, `/arrived?token=${token}`);
          return arrived.map(({ recalled: isRecalled = false }) => isRecalled);
        };
        assert.deepEqual(await recalled(), [false, false]);
        for (let i = 0; i < 2; i++) {
          assert.deepEqual(kindsOf(await recall(sender, [token])), ['accepted']);
          assert.deepEqual(await recalled(), [false, true]);
        }
      });

      test('a recall with rejected credentials has the outcome locked-out', async () => {
        using sender = newSender();
        await fault({ kind: 'wrong-credentials', duration_ms: MINUTE_MS });
        assert.deepEqual(kindsOf(await recall(sender, [fresh('live')])), ['locked-out']);
      });
    }

    test('slow: unreachable with a short deadline, accepted with a long one', async () => {
      using hurried = newSender(SHORT_DEADLINE_SECONDS);
      using patient = newSender();
      const start = performance.now();
      assert.deepEqual(kindsOf(await send(hurried, vendors.newAccount(name), [fresh('slow')])), ['unreachable']);
      assert.ok(performance.now() - start < SHORT_DEADLINE_SECONDS * 1_000 + GRACE_MS);
      assert.deepEqual(kindsOf(await send(patient, vendors.newAccount(name), [fresh('slow')])), ['accepted']);
    });

    test('each of many tokens has its own outcome, in the given order', async () => {
      using sender = newSender();
      const tokens = Array.from({ length: 300 }, (_, i) => fresh(i % 3 === 1 ? 'dead' : 'live'));
      const outcomes = await send(sender, vendors.newAccount(name), tokens);
      assert.deepEqual(
        kindsOf(outcomes),
        tokens.map((token) => (token.startsWith('live') ? 'accepted' : 'token-dead')),
      );
      const reached = new Set(await vendors.arrivedTokens(name, `live-${name}`));
      assert.ok(tokens.every((token) => token.startsWith('dead') || reached.has(token)));
    });

    test('500 tokens in one call are all accepted, each once, over few connections', async () => {
      using sender = newSender();
      const account = vendors.newAccount(name);
      const before = await opened();
      const tokens = numbered(fresh('live'), 500);
      assert.deepEqual(kindsOf(await send(sender, account, tokens)), allOf('accepted', 500));
      const sending = isBatch ? (sheet.requestsForSlice ?? 1) : (sheet.connectionsMax ?? 4);
      assert.ok((await opened()) - before <= sending + 1, 'plus one connection for the provider token');
      const arrived = await vendors.arrivedTokens(name, `${tokens[0]?.slice(0, -2)}-`);
      assert.deepEqual(arrived.sort(), [...tokens].sort());
    });

    test("an accepted notification has the vendor's message ID", async () => {
      using sender = newSender();
      const [outcome] = await send(sender, vendors.newAccount(name), [fresh('live')]);
      assert.ok(outcome?.kind === 'accepted' && outcome.channelMessageId !== '');
    });

    test('a lost response counts as unreachable: the notification was delivered, and a repeat replaces it', async () => {
      using sender = newSender();
      const account = vendors.newAccount(name);
      const token = fresh('half');
      const attempts = vendorSendsOf(name, [token]);
      for (let times = 1; times <= 2; times++) {
        assert.deepEqual(kindsOf(await sender.send(name, account, attempts, new Date())), ['unreachable']);
        const { tally } = await vendors.get<{ tally: Record<string, Record<string, number>> }>(name, '/tally');
        const seen = Object.values(tally).filter((byToken) => byToken[token] !== undefined);
        assert.deepEqual(
          seen,
          [{ [token]: sheet.dropsRepeats ? 1 : times }],
          'the notification is counted under one id',
        );
      }
    });

    describe('credentials', () => {
      test('that are unknown to the vendor lock out every token, and nothing is delivered', async () => {
        using sender = newSender();
        const tokens = numbered(fresh('live'), 5);
        const outcomes = await send(sender, vendors.newAccount(name, sheet.wrongCredentials), tokens);
        assert.deepEqual(kindsOf(outcomes), allOf('locked-out', 5));
        assert.deepEqual(await vendors.arrivedTokens(name, tokens[0]?.slice(0, -2) as string), []);
      });

      test('that cannot be read lock out every token, and are not quoted', async () => {
        using sender = newSender();
        const broken = { certificate: '-----BEGIN PRIVATE KEY-----canary', appKey: 'K'.repeat(10) };
        const outcomes = await send(sender, vendors.newAccount(name, broken), [fresh('live')]);
        assert.deepEqual(kindsOf(outcomes), ['locked-out']);
        assert.ok(!JSON.stringify(outcomes).includes('canary'));
      });

      test('that are rejected later also lock out every token', async () => {
        using sender = newSender();
        const account = vendors.newAccount(name);
        assert.deepEqual(kindsOf(await send(sender, account, [fresh('live')])), ['accepted']);
        await fault({ kind: 'wrong-credentials', requests: 10 });
        assert.deepEqual(kindsOf(await send(sender, account, [fresh('live')])), ['locked-out']);
      });

      test('are checked as good, refused or unknown, without sending a notification', async () => {
        const before = (await vendors.arrivedTokens(name, '')).length;
        const ask = (change: Partial<VendorAccount> = {}, settings: object = {}) =>
          checkAccount({ ...settingsFor(), ...settings }, name, vendors.newAccount(name, change), new Date());
        assert.deepEqual(await ask(), { kind: 'good' });
        assert.equal((await ask(sheet.wrongCredentials)).kind, sheet.isUnchecked ? 'good' : 'refused');
        const nowhere = Object.fromEntries(Object.keys(vendors.settings).map((key) => [key, 'https://127.0.0.1:9']));
        assert.equal((await ask({}, nowhere)).kind, sheet.isUnchecked ? 'good' : 'unknown');
        assert.equal((await vendors.arrivedTokens(name, '')).length, before);
      });
    });

    if (sheet.hasTokenEndpoint)
      describe('a provider token', () => {
        test('is requested once for several sends', async () => {
          using sender = newSender();
          const asked = async () => (await counts()).token;
          const before = await asked();
          await Promise.all(numbered('x', 5).map(() => send(sender, vendors.newAccount(name), [fresh('live')])));
          assert.equal((await asked()) - before, 1);
        });

        test('that is no longer accepted is renewed once, and the send succeeds', async () => {
          using sender = newSender();
          const account = vendors.newAccount(name);
          await send(sender, account, [fresh('live')]);
          await fault({ kind: 'expired-token', requests: 1 });
          const later = new Date(Date.now() + 2 * MINUTE_MS);
          assert.deepEqual(kindsOf(await send(sender, account, [fresh('live')], later)), ['accepted']);
        });

        test('that is rejected when it is new means that the credentials are wrong', async () => {
          using sender = newSender();
          await fault({ kind: 'expired-token', requests: 10 });
          assert.deepEqual(kindsOf(await send(sender, vendors.newAccount(name), [fresh('live')])), ['locked-out']);
        });

        test('that is temporarily unavailable does not lock the account out', async () => {
          using sender = newSender();
          await fault({ kind: 'token-outage', requests: 1 });
          const [outcome] = await send(sender, vendors.newAccount(name), [fresh('live')]);
          assert.match(outcome?.kind as string, /^(unreachable|throttled)$/);
        });

        test('that the token endpoint refuses to issue locks the account out', async () => {
          using sender = newSender();
          await fault({ kind: 'token-refused', requests: 1 });
          assert.deepEqual(kindsOf(await send(sender, vendors.newAccount(name), [fresh('live')])), ['locked-out']);
        });
      });

    describe('faults', () => {
      test('throttling is reported with a delay and applies to the device or to the whole account', async () => {
        using sender = newSender();
        const account = vendors.newAccount(name);
        await send(sender, account, [fresh('live')]);
        const before = (await counts()).send;
        await fault({ kind: 'throttle', requests: 1, ...(sheet.hasTokenEndpoint && { retry_after_seconds: 3 }) });
        const [outcome] = await send(sender, account, [fresh('live')]);
        assert.deepEqual(outcome, { kind: 'throttled', ...sheet.throttledAccount });
        const [next] = await send(sender, account, [fresh('live')]);
        assert.equal(next?.kind, sheet.throttledAccount.account ? 'throttled' : 'accepted');
        assert.equal((await counts()).send - before, sheet.throttledAccount.account ? 1 : 2);
      });

      if (sheet.hasQuota)
        test('reports the quota as exhausted until the next midnight in Beijing', async () => {
          using sender = newSender();
          await fault({ kind: 'quota', requests: 1 });
          const [outcome] = await send(sender, vendors.newAccount(name), [fresh('live')]);
          assert.ok(outcome?.kind === 'quota-spent');
          assert.equal(outcome.until.toISOString().slice(10), 'T16:00:00.000Z');
          assert.ok(outcome.until > new Date());
        });

      for (const kind of ['outage', 'reset', 'truncate', ...(name === 'apns' ? [] : ['html'])]) {
        test(`${kind}: the request fails, and a later request is accepted`, async () => {
          using sender = newSender();
          const account = vendors.newAccount(name);
          await send(sender, account, [fresh('live')]);
          await fault({ kind, requests: 1 });
          const [outcome] = await send(sender, account, [fresh('live')]);
          // If a vendor specifies a delay during an outage, the outcome is `throttled`.
          assert.match(outcome?.kind as string, /^(unreachable|throttled)$/);
          if (outcome?.kind === 'unreachable')
            assert.deepEqual(kindsOf(await send(sender, account, [fresh('live')])), ['accepted']);
        });
      }

      test('a stalled server delays no request beyond the deadline', async () => {
        using sender = newSender(SHORT_DEADLINE_SECONDS);
        const account = vendors.newAccount(name);
        await send(sender, account, [fresh('live')]);
        await fault({ kind: 'stall', requests: 20 });
        const start = performance.now();
        const outcomes = await send(sender, account, numbered(fresh('live'), 20));
        assert.deepEqual(kindsOf(outcomes), allOf('unreachable', 20));
        assert.ok(performance.now() - start < SHORT_DEADLINE_SECONDS * 1_000 + GRACE_MS);
      });

      if (vendor.http === 2)
        test('repeated GOAWAY frames lose no notification, and only accepted notifications are delivered', async () => {
          using sender = newSender();
          const account = vendors.newAccount(name);
          await send(sender, account, [fresh('live')]);
          const prefix = fresh('live');
          const accepted = new Set<string>();
          for (let round = 0; round < 10; round++) {
            await fault({ kind: 'goaway', requests: 1 });
            const tokens = numbered(`${prefix}r${round}`, 40);
            const outcomes = await send(sender, account, tokens);
            outcomes.forEach(({ kind }, i) => {
              assert.match(kind, /^(accepted|unreachable)$/);
              if (kind === 'accepted') accepted.add(tokens[i] as string);
            });
          }
          assert.deepEqual(new Set(await vendors.arrivedTokens(name, prefix)), accepted);
          assert.equal(
            accepted.size,
            400,
            'requests that the vendor returns unprocessed are sent over the next connection',
          );
        });
    });

    if (isBatch)
      test('a batch uses as few requests as possible', async () => {
        using sender = newSender();
        const account = vendors.newAccount(name);
        const before = (await counts()).send;
        await send(sender, account, numbered(fresh('live'), 512));
        assert.equal((await counts()).send - before, sheet.requestsForSlice ?? 1);
      });

    describe('golden requests accepted by the simulator', () => {
      test('include at least twelve cases', () => assert.ok(sheet.goldens.length >= 12));
      for (const { what, message = {}, badge } of sheet.goldens) {
        test(what, async () => {
          using sender = newSender();
          const token = fresh('live');
          const attempts = vendorSendsOf(name, [token], message, badge);
          const outcomes = await sender.send(name, vendors.newAccount(name), attempts, new Date());
          assert.deepEqual(kindsOf(outcomes), ['accepted'], JSON.stringify(outcomes));
          assert.deepEqual(await vendors.arrivedTokens(name, token), [token]);
        });
      }
    });
  });

  /** Returns the number of connections opened to all listeners of the simulator. */
  async function opened(): Promise<number> {
    const all = await vendors.get<Record<string, { connections: { opened: number } }>>(name, '/counts');
    return Object.values(all).reduce((sum, { connections }) => sum + connections.opened, 0);
  }

  /** Returns the number of requests to each listener of the simulator. */
  async function counts(): Promise<{ send: number; token: number }> {
    const all = await vendors.get<Record<string, { requests: Record<string, number> }>>(name, '/counts');
    const sum = (door: string) => Object.values(all[door]?.requests ?? {}).reduce((total, count) => total + count, 0);
    return { send: sum('send') + sum('production') + sum('sandbox'), token: sum('token') };
  }
}
