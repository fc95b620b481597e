import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Outcome } from '#src/domain/outcome.ts';
import {
  kindsOf,
  readControl,
  type Simulator,
  startSimulator,
  vendorSendOf,
} from '../../test/vendors/apns-simulator.ts';
import { VendorSender } from './sender.ts';
import type { VendorAccount } from './vendor.ts';

/** Long enough for the other tests on a busy machine. */
const LONG_DEADLINE_SECONDS = 10;
const SHORT_DEADLINE_SECONDS = 1;
/** A send counts as hanging if it takes this much longer than its deadline. */
const GRACE_MS = 1_500;

let simulator: Simulator;
before(async () => {
  simulator = await startSimulator();
});
after(() => simulator[Symbol.asyncDispose]());

let apps = 0;
/** Returns an account of a new app, which therefore has separate connections. */
function newAccount(change: Partial<VendorAccount> = {}, { facts } = simulator): VendorAccount {
  const { topic, key_id, team_id, p8 } = facts;
  const keys = { vendorAppId: topic, appKey: key_id, appSecret: team_id, certificate: p8 };
  return { appId: `app-${++apps}`, environment: 1, version: 1, ...keys, ...change };
}

function newSender(
  { facts }: Pick<Simulator, 'facts'> = simulator,
  deadlineSeconds = LONG_DEADLINE_SECONDS,
): VendorSender & Disposable {
  const sender = new VendorSender({
    CARILLON_VENDOR_PROXY_URL: '',
    CARILLON_VENDOR_PROXY_FOR: '',
    CARILLON_WEBPUSH_HOSTS: '',
    CARILLON_VENDOR_DEADLINE_SECONDS: deadlineSeconds,
    CARILLON_APNS_URL_PRODUCTION: facts.production_url,
    CARILLON_APNS_URL_DEVELOPMENT: facts.sandbox_url,
  });
  return Object.assign(sender, { [Symbol.dispose]: () => sender.close() });
}

const send = (sender: VendorSender, account: VendorAccount, tokens: readonly string[]): Promise<Outcome[]> =>
  sender.send('apns', account, tokens.map(vendorSendOf), new Date());

const numberedTokens = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
const allOf = (kind: Outcome['kind'], count: number) => new Array<string>(count).fill(kind);

async function addFault(kind: string, requests: number): Promise<void> {
  const body = JSON.stringify({ kind, requests, environment: 'production' });
  assert.equal((await fetch(`${simulator.facts.control_url}/faults`, { method: 'POST', body })).status, 204);
}

async function endFaults(): Promise<void> {
  assert.equal((await fetch(`${simulator.facts.control_url}/faults`, { method: 'DELETE' })).status, 204);
}

const connectionsOpened = async () =>
  (await readControl<{ production: { connections: { opened: number } } }>(simulator, '/counts')).production.connections
    .opened;

async function arrivedTokens(prefix: string): Promise<string[]> {
  const { arrived: all } = await readControl<{ arrived: { token: string }[] }>(simulator, '/arrived?limit=1000');
  return all.map(({ token }) => token).filter((token) => token.startsWith(`${prefix}-`));
}

/** Sends with a short deadline, and fails if sending takes longer than the deadline plus a margin. */
async function sendInTime(sender: VendorSender, account: VendorAccount, tokens: readonly string[]): Promise<Outcome[]> {
  const start = performance.now();
  const outcomes = await send(sender, account, tokens);
  const elapsedMs = performance.now() - start;
  assert.ok(elapsedMs < SHORT_DEADLINE_SECONDS * 1_000 + GRACE_MS, `sending took ${Math.round(elapsedMs)} ms`);
  return outcomes;
}

describe('outcome of a token', () => {
  const expectedOutcomes: readonly (readonly [string, Partial<Outcome>])[] = [
    ['live', { kind: 'accepted' }],
    ['dead', { kind: 'token-dead', reason: 'Unregistered' }],
    ['busy', { kind: 'throttled', retryAfterSeconds: 60 }],
    ['down', { kind: 'unreachable', reason: 'ServiceUnavailable' }],
    ['slow', { kind: 'unreachable', reason: 'no response in time' }],
    ['half', { kind: 'unreachable' }],
  ];
  for (const environment of [0, 1] as const) {
    for (const [tokenPrefix, expected] of expectedOutcomes) {
      test(`${tokenPrefix}, environment ${environment}: ${expected.kind}`, async () => {
        using sender = newSender(simulator, tokenPrefix === 'slow' ? SHORT_DEADLINE_SECONDS : LONG_DEADLINE_SECONDS);
        const [outcome] = await send(sender, newAccount({ environment }), [`${tokenPrefix}-${environment}`]);
        assert.partialDeepStrictEqual(outcome, expected);
      });
    }
  }

  test('slow: accepted if the response arrives before the deadline', async () => {
    using sender = newSender();
    assert.deepEqual(kindsOf(await send(sender, newAccount(), ['slow-patient'])), ['accepted']);
  });

  test('returns one outcome per token, in order', async () => {
    using sender = newSender();
    const outcomes = await send(sender, newAccount(), ['dead-o', 'live-o', 'half-o', 'busy-o', 'down-o', 'live-o2']);
    assert.deepEqual(kindsOf(outcomes), [
      'token-dead',
      'accepted',
      'unreachable',
      'throttled',
      'unreachable',
      'accepted',
    ]);
  });

  test('includes the ID that Apple assigned to an accepted notification', async () => {
    using sender = newSender();
    const [outcome] = await send(sender, newAccount(), ['live-id']);
    const { arrived: found } = await readControl<{ arrived: { apns_id: string }[] }>(
      simulator,
      '/arrived?token=live-id',
    );
    assert.deepEqual(outcome, { kind: 'accepted', channelMessageId: found[0]?.apns_id });
  });

  test('uses the sandbox for environment 0 and production for environment 1', async () => {
    using sender = newSender();
    for (const environment of [0, 1] as const)
      assert.deepEqual(kindsOf(await send(sender, newAccount({ environment }), [`live-at-${environment}`])), [
        'accepted',
      ]);
    const { arrived: all } = await readControl<{ arrived: { token: string; environment: string }[] }>(
      simulator,
      '/arrived?limit=1000',
    );
    const places = all
      .filter(({ token }) => token.startsWith('live-at-'))
      .map((each) => [each.token, each.environment]);
    assert.deepEqual(places, [
      ['live-at-0', 'sandbox'],
      ['live-at-1', 'production'],
    ]);
  });

  test('returns no outcomes for no tokens', async () => {
    using sender = newSender();
    assert.deepEqual(await send(sender, newAccount(), []), []);
  });
});

describe('connections', () => {
  test('send 200 notifications, and 200 more, over one connection', async () => {
    using sender = newSender();
    const account = newAccount();
    const before = await connectionsOpened();
    for (const prefix of ['live-first', 'live-second'])
      assert.deepEqual(kindsOf(await send(sender, account, numberedTokens(prefix, 200))), allOf('accepted', 200));
    assert.equal((await connectionsOpened()) - before, 1);
    assert.deepEqual((await arrivedTokens('live-first')).sort(), numberedTokens('live-first', 200).sort());
  });

  test('are not shared between apps, or between an old and a new key', async () => {
    using sender = newSender();
    const account = newAccount();
    const before = await connectionsOpened();
    for (const each of [account, newAccount(), { ...account, version: 2 }])
      assert.deepEqual(kindsOf(await send(sender, each, ['live-apart'])), ['accepted']);
    assert.equal((await connectionsOpened()) - before, 3);
  });
});

test('keeps the connection of an active account, no matter how many other accounts connect', async () => {
  // No server is listening on the URL of these accounts, so their requests fail quickly.
  using sender = newSender({ facts: { ...simulator.facts, sandbox_url: 'https://127.0.0.1:9' } });
  const account = newAccount();
  const before = await connectionsOpened();
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(kindsOf(await send(sender, account, ['live-in-use'])), ['accepted']);
    for (let i = 0; i < 1_000; i++) await send(sender, newAccount({ environment: 0 }), ['live-nowhere']);
  }
  assert.deepEqual(kindsOf(await send(sender, account, ['live-in-use'])), ['accepted']);
  assert.equal((await connectionsOpened()) - before, 1);
});

describe('connection that ends', () => {
  test('with GOAWAY midway: earlier requests get responses, and the rest are sent once over the next connection', async () => {
    using sender = newSender();
    const account = newAccount();
    await send(sender, account, ['live-proof']); // after this request, the connection allows many streams
    await addFault('throttle', 30);
    await addFault('goaway', 1);
    const before = await connectionsOpened();
    const outcomes = await send(sender, account, numberedTokens('live-goaway', 100));
    assert.deepEqual(kindsOf(outcomes), [...allOf('throttled', 30), ...allOf('accepted', 70)]);
    assert.deepEqual((await arrivedTokens('live-goaway')).sort(), numberedTokens('live-goaway', 100).slice(30).sort());
    assert.equal((await connectionsOpened()) - before, 1);
  });

  test('with GOAWAY at its first request: that request is unreachable, and the others use the next connection', async () => {
    using sender = newSender();
    await addFault('goaway', 1);
    const outcomes = await send(sender, newAccount(), numberedTokens('live-early', 20));
    assert.deepEqual(kindsOf(outcomes), ['unreachable', ...allOf('accepted', 19)]);
    assert.deepEqual((await arrivedTokens('live-early')).sort(), numberedTokens('live-early', 20).slice(1).sort());
  });

  test('with GOAWAY every time: only one more connection is tried', async () => {
    using sender = newSender();
    const account = newAccount();
    await send(sender, account, ['live-proof']);
    const before = await connectionsOpened();
    await addFault('goaway', 10);
    assert.deepEqual(kindsOf(await send(sender, account, ['live-never'])), ['unreachable']);
    assert.equal((await connectionsOpened()) - before, 1);
    assert.deepEqual(await arrivedTokens('live-never'), []);
    await endFaults();
  });

  test('by a reset: all its requests are unreachable, and later requests use a new connection', async () => {
    using sender = newSender();
    const account = newAccount();
    await send(sender, account, ['live-proof']);
    await addFault('reset', 1);
    const outcomes = await send(sender, account, numberedTokens('live-reset', 50));
    assert.deepEqual(kindsOf(outcomes), allOf('unreachable', 50));
    assert.deepEqual(kindsOf(await send(sender, account, ['live-again'])), ['accepted']);
  });
});

describe('unresponsive server', () => {
  test('a truncated response counts as unreachable', async () => {
    using sender = newSender();
    await addFault('truncate', 1);
    assert.deepEqual(kindsOf(await send(sender, newAccount(), ['live-truncated'])), ['unreachable']);
  });

  test('a stalled server delays no request beyond the deadline', async () => {
    using sender = newSender(simulator, SHORT_DEADLINE_SECONDS);
    const account = newAccount();
    await send(sender, account, ['live-proof']);
    await addFault('stall', 20);
    const outcomes = await sendInTime(sender, account, numberedTokens('live-stall', 20));
    assert.deepEqual(kindsOf(outcomes), allOf('unreachable', 20));
  });

  test('a stopped server is unreachable immediately, for all accounts', async () => {
    const own = await startSimulator();
    using sender = newSender(own);
    const account = newAccount({}, own);
    assert.deepEqual(kindsOf(await send(sender, account, ['live-before'])), ['accepted']);
    await own[Symbol.asyncDispose]();
    for (const each of [account, newAccount({}, own)]) {
      const start = performance.now();
      assert.deepEqual(kindsOf(await send(sender, each, numberedTokens('live', 50))), allOf('unreachable', 50));
      assert.ok(performance.now() - start < (LONG_DEADLINE_SECONDS * 1_000) / 2, 'no request waits for the deadline');
    }
  });

  test('a frozen server is unreachable at the deadline', async () => {
    await using own = await startSimulator();
    using sender = newSender(own, SHORT_DEADLINE_SECONDS);
    const account = newAccount({}, own);
    assert.deepEqual(kindsOf(await send(sender, account, ['live-before'])), ['accepted']);
    own.process.kill('SIGSTOP');
    assert.deepEqual(kindsOf(await sendInTime(sender, account, numberedTokens('live', 20))), allOf('unreachable', 20));
  });

  test('a server that never completes the TLS handshake is unreachable at the deadline', async () => {
    const openSockets = new Set<Socket>();
    const server = createServer((socket) => openSockets.add(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as { port: number }).port}`;
    using sender = newSender({ facts: { ...simulator.facts, production_url: url } }, SHORT_DEADLINE_SECONDS);
    assert.deepEqual(
      kindsOf(await sendInTime(sender, newAccount(), numberedTokens('live', 20))),
      allOf('unreachable', 20),
    );
    for (const socket of openSockets) socket.destroy();
    server.close();
  });

  test('a server that closes every connection is unreachable', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as { port: number }).port}`;
    using sender = newSender({ facts: { ...simulator.facts, production_url: url } });
    assert.deepEqual(kindsOf(await send(sender, newAccount(), numberedTokens('live', 20))), allOf('unreachable', 20));
    server.close();
  });
});

describe('credentials', () => {
  const another = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const wrong: readonly (readonly [string, Partial<VendorAccount>, string])[] = [
    [
      'another key',
      { certificate: another.export({ type: 'pkcs8', format: 'pem' }).toString() },
      'InvalidProviderToken',
    ],
    ['another key id', { appKey: 'OTHERKEY01' }, 'InvalidProviderToken'],
    ['another team', { appSecret: 'OTHERTEAM1' }, 'InvalidProviderToken'],
    ['another app’s topic', { vendorAppId: 'com.example.other' }, 'TopicDisallowed'],
    ['no key at all', { certificate: 'canary-4711' }, 'the stored credentials cannot be used'],
  ];
  for (const [what, change, reason] of wrong) {
    test(`${what}: every token is locked out`, async () => {
      using sender = newSender();
      const outcomes = await send(sender, newAccount(change), numberedTokens('live', 5));
      assert.deepEqual(outcomes, new Array(5).fill({ kind: 'locked-out', reason }));
    });
  }

  test('create one provider token for concurrent first requests', async () => {
    using sender = newSender();
    const account = newAccount();
    const rounds = await Promise.all(['a', 'b', 'c'].map((name) => send(sender, account, [`live-first-${name}`])));
    assert.deepEqual(kindsOf(rounds.flat()), allOf('accepted', 3));
  });

  test('a server with an untrusted certificate is unreachable and receives nothing', async () => {
    using trust = new DisposableStack();
    const trusted = getCACertificates('default');
    trust.defer(() => setDefaultCACertificates(trusted));
    setDefaultCACertificates(getCACertificates('bundled'));
    using sender = newSender();
    assert.deepEqual(kindsOf(await send(sender, newAccount(), ['live-untrusted-1'])), ['unreachable']);
    assert.deepEqual(await arrivedTokens('live-untrusted'), []);
  });
});

test('rejects a vendor that is not supported', async () => {
  using sender = newSender();
  const unknown = 'nokia' as Parameters<VendorSender['send']>[0];
  await assert.rejects(sender.send(unknown, newAccount(), [vendorSendOf('live-1')], new Date()), TypeError);
});
