import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type FlymeSimulator, startFlymeSimulator } from './simulator.ts';
import { FlymeSender } from './test-sender.ts';

type ReceivedPost = {
  type: string | undefined;
  accessToken: string | null;
  cb: Record<string, Record<string, unknown>>;
};

const received: ReceivedPost[] = [];
let waiting = Promise.withResolvers<void>();
const receiver = createServer((request, response) => {
  void request.toArray().then((chunks) => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const cb = JSON.parse(form.get('cb') ?? '{}');
    received.push({ type: request.headers['content-type'], accessToken: form.get('access_token'), cb });
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

let simulator: FlymeSimulator;
let sender: FlymeSender;
let url: string;
before(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`;
  simulator = await startFlymeSimulator();
  sender = new FlymeSender(simulator);
});
after(async () => {
  await sender[Symbol.asyncDispose]();
  await simulator.stop();
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(async () => {
  received.length = 0;
  await call('/receipts', { url, key: 'c68b05' });
});

const call = async (path: string, body: object) => {
  const response = await fetch(simulator.controlUrl + path, { method: 'POST', body: JSON.stringify(body) });
  assert.ok(response.ok, await response.clone().text());
};
const asking = (type: unknown) => ({ extra: { callback: url, 'callback.param': 'task-7', 'callback.type': type } });

describe('receipts of the Meizu simulator', () => {
  test('are a form with the access token from the console and one entry per message and type', async () => {
    const { json } = await sender.send({ tokens: ['live-1', 'clicked-1', 'dead-1'], message: asking('3') });
    await untilHeard(1);
    assert.deepEqual(received, [
      {
        type: 'application/x-www-form-urlencoded; charset=UTF-8',
        accessToken: 'c68b05',
        cb: {
          [`${json.msgId}-1`]: { param: 'task-7', type: 1, targets: ['live-1', 'clicked-1'] },
          [`${json.msgId}-2`]: { param: 'task-7', type: 2, targets: ['clicked-1'] },
        },
      },
    ]);
  });

  test('contain only the types that the message requests, and are not sent without a request', async () => {
    await sender.send({ tokens: ['clicked-2'] });
    const { json } = await sender.send({ tokens: ['clicked-2'], message: asking(2) });
    await untilHeard(1);
    assert.deepEqual(Object.keys(received[0]?.cb ?? {}), [`${json.msgId}-2`]);
  });

  test('are not sent to a deleted callback URL', async () => {
    await fetch(`${simulator.controlUrl}/receipts`, { method: 'DELETE' });
    assert.equal((await sender.send({ tokens: ['live-3'], message: asking(1) })).json.code, '1005');
  });

  test('can be sent through the control API, even with a wrong access token', async () => {
    await sender.send({ tokens: ['live-4'] });
    await call('/receipts/send', { token: 'live-4', status: 1, bi_tag: 'task-8', bad_signature: true });
    assert.deepEqual(
      [received[0]?.accessToken, Object.values(received[0]?.cb ?? {})[0]?.param],
      ['anotherc68b05', 'task-8'],
    );
  });
});
