import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startVivoSimulator, type VivoSimulator } from './simulator.ts';
import { VivoSender } from './test-sender.ts';

type ReceivedPost = Record<string, Record<string, unknown>>;

const received: ReceivedPost[] = [];
let waiting = Promise.withResolvers<void>();
const receiver = createServer((request, response) => {
  void request.toArray().then((chunks) => {
    received.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.end();
    waiting.resolve();
  });
});
async function untilHeard(posts: number): Promise<void> {
  while (received.length < posts) {
    waiting = Promise.withResolvers();
    await waiting.promise;
  }
}

let simulator: VivoSimulator;
let sender: VivoSender;
let url: string;
before(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`;
  simulator = await startVivoSimulator();
  sender = await VivoSender.open(simulator);
});
after(async () => {
  await sender[Symbol.asyncDispose]();
  await simulator.stop();
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(() => {
  received.length = 0;
});

const call = async (path: string, body: object) => {
  const response = await fetch(simulator.controlUrl + path, { method: 'POST', body: JSON.stringify(body) });
  assert.ok(response.ok, await response.clone().text());
};

describe('receipts of the vivo simulator', () => {
  test('contain the ackType and the time per task in the newer format', async () => {
    await call('/receipts', { url, version: 'V2' });
    const start = Date.now();
    const { json } = await sender.send();
    await untilHeard(1);
    const { ackTime, ...entry } = received[0]?.[json.taskId] ?? {};
    assert.deepEqual(entry, { param: 'task-7', targets: 'live-1', ackType: '0' });
    assert.ok(Math.abs(Number(ackTime) - start) < 5000);
  });

  test('contain only deliveries in the older format', async () => {
    await call('/receipts', { url });
    const { json } = await sender.send({ message: { extra: undefined } });
    await untilHeard(1);
    assert.deepEqual(received, [{ [json.taskId]: { param: null, targets: 'live-1' } }]);
  });

  test('for a list contain several tokens in one string, grouped by ackType', async () => {
    await call('/receipts', { url, version: 'V2' });
    await sender.sendList(['live-1', 'hidden-1', 'dead-1', 'live-2']);
    await untilHeard(2);
    const entries = received.flatMap((post) => Object.values(post)).map(({ ackType, targets }) => [ackType, targets]);
    assert.deepEqual(entries.sort(), [
      ['0', 'live-1,live-2'],
      ['1', 'hidden-1'],
    ]);
  });

  test('can be sent repeatedly through the control API', async () => {
    await call('/receipts', { url, version: 'V2', delay_ms: 60_000 });
    const { json } = await sender.send();
    await call('/receipts/send', { token: 'live-1', status: 203, repeat: 2 });
    assert.deepEqual(
      received.map((post) => post[json.taskId]?.ackType),
      ['203', '203'],
    );
  });
});
