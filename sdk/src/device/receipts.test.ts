import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  errorResponse,
  type RecordedRequest,
  type StubAction,
  type StubServer,
  startStubServer,
  successResponse,
} from '../../support/stub-server.ts';
import { Carillon } from '../client.ts';
import { loadPersistedState, type PersistedState } from './persisted-state.ts';
import { ReceiptSender } from './receipts.ts';

interface Started extends AsyncDisposable {
  readonly peer: StubServer;
  readonly persisted: PersistedState;
  readonly receipts: ReceiptSender;
  readonly problems: Error[];
  readonly carillon: Carillon;
}

/**
 * Starts a receipt sender and a stub service. The service returns the given responses in order and repeats the last
 * one.
 */
async function start(...answers: StubAction[]): Promise<Started> {
  let calls = 0;
  const peer = await startStubServer(() => answers[Math.min(calls++, answers.length - 1)] as StubAction);
  const persisted = await loadPersistedState(undefined, 'device');
  const problems: Error[] = [];
  const receipts = new ReceiptSender({ persisted, list: 'receipts', onProblem: (problem) => problems.push(problem) });
  const carillon = new Carillon({ url: peer.url, appId: 'bells', token: 'ct_1', timeoutMs: 2_000 });
  receipts.setClient(carillon);
  const stop = async () => {
    receipts.setClient(undefined);
    await peer[Symbol.asyncDispose]();
  };
  return { peer, persisted, receipts, problems, carillon, [Symbol.asyncDispose]: stop };
}

const listsOf = (heard: readonly RecordedRequest[]) =>
  heard.map(({ body }) => (JSON.parse(body) as { list: string[] }).list);
const TAKEN = successResponse('{"received":1}');

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isTrue()) {
    assert.ok(performance.now() < deadline, 'the condition was not met in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('receipts for notifications received through a vendor', () => {
  test('are sent together, each once, and removed when they are accepted', async () => {
    await using started = await start(TAKEN);
    const { peer, persisted, receipts } = started;
    for (const reference of ['1.0.0', '2.0.0', '1.0.0']) await receipts.add(reference);
    assert.deepEqual(persisted.receipts, ['1.0.0', '2.0.0']);
    await until(() => persisted.receipts.length === 0);
    assert.deepEqual(listsOf(peer.requests), [['1.0.0', '2.0.0']]);
  });

  test('are sent a hundred per request', async () => {
    await using started = await start(TAKEN);
    const { peer, persisted, receipts } = started;
    await Promise.all(Array.from({ length: 230 }, (_, i) => receipts.add(`${i}.0.0`)));
    await until(() => persisted.receipts.length === 0);
    assert.deepEqual(
      listsOf(peer.requests).map(({ length }) => length),
      [100, 100, 30],
    );
  });

  test('are sent again after a lost connection, a server error and a rate limit', async () => {
    await using started = await start(
      'hang-up',
      errorResponse(503, 50003, 'Later.'),
      errorResponse(429, 12029, 'Too many.', { 'retry-after': '1' }),
      TAKEN,
    );
    const { peer, persisted, receipts, problems } = started;
    await receipts.add('1.0.0');
    await until(() => persisted.receipts.length === 0);
    assert.deepEqual([peer.requests.length, problems], [4, []]);
  });

  test('are discarded when they are rejected, and the error is reported', async () => {
    await using started = await start(errorResponse(404, 12008, 'No such device.'), TAKEN);
    const { peer, persisted, receipts, problems } = started;
    await receipts.add('1.0.0');
    await until(() => persisted.receipts.length === 0);
    assert.match(String(problems), /No such device/);
    assert.equal(peer.requests.length, 1);
  });

  test('wait for another login if the token is invalid', async () => {
    await using started = await start(errorResponse(401, 10008, 'Token invalid.'), TAKEN);
    const { peer, persisted, receipts, problems, carillon } = started;
    await receipts.add('1.0.0');
    await until(() => peer.requests.length === 1);
    await receipts.add('2.0.0');
    assert.deepEqual(persisted.receipts, ['1.0.0', '2.0.0']);
    receipts.setClient(carillon.as({ token: 'ct_2' }));
    await until(() => persisted.receipts.length === 0);
    assert.deepEqual(listsOf(peer.requests), [['1.0.0'], ['1.0.0', '2.0.0']]);
    assert.deepEqual(problems, []);
  });

  test('are discarded, the oldest first, if more than a thousand are pending', async () => {
    await using started = await start(TAKEN);
    const { persisted, receipts } = started;
    receipts.setClient(undefined);
    await Promise.all(Array.from({ length: 1_001 }, (_, i) => receipts.add(`${i}.0.0`)));
    assert.deepEqual([persisted.receipts.length, persisted.receipts[0]], [1_000, '1.0.0']);
  });
});
