import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type HarmonySimulator, startHarmonySimulator } from './simulator.ts';
import { HarmonySender } from './test-sender.ts';

type Entry = { token: string; biTag: string; requestId: string; deliveryStatus: { result: number; timestamp: number } };

const received: { headers: IncomingHttpHeaders; statuses: Entry[] }[] = [];
const heard = new EventEmitter();
const receiver = createServer((request, response) => {
  void request.toArray().then((chunks: Buffer[]) => {
    const { statuses } = JSON.parse(Buffer.concat(chunks).toString());
    received.push({ headers: request.headers, statuses });
    response.end('{"code":"0","message":"success"}');
    heard.emit('receipt');
  });
});
const resultsOf = (token: string) =>
  received
    .flatMap(({ statuses }) => statuses)
    .flatMap((each) => (each.token === token ? [each.deliveryStatus.result] : []));

async function until(isSo: () => boolean): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  while (!isSo()) await once(heard, 'receipt', { signal });
}

const secrets = { user_name: 'callback', key: Buffer.from('a key of the callback').toString('base64') };
let simulator: HarmonySimulator;
let sender: HarmonySender;
before(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`;
  simulator = await startHarmonySimulator();
  sender = new HarmonySender(simulator);
  const body = JSON.stringify({ url, ...secrets });
  assert.equal((await fetch(`${simulator.controlUrl}/receipts`, { method: 'POST', body })).status, 204);
});
after(async () => {
  await sender[Symbol.asyncDispose]();
  await simulator.stop();
  receiver.closeAllConnections();
  receiver.close();
});

describe('receipts of the HarmonyOS simulator', () => {
  test('have version 2 and a signature with the base64-decoded key', async () => {
    const { json } = await sender.send({ tokens: ['live-signed', 'dead-1'] });
    await until(() => resultsOf('live-signed').length === 1);
    const post = received.find(({ statuses }) => statuses.some(({ token }) => token === 'live-signed'));
    assert.ok(post);
    const { headers, statuses } = post;
    assert.equal(statuses.length, 1, 'a rejected token has no receipt');
    const { deliveryStatus, ...entry } = statuses[0] as Entry;
    assert.deepEqual(entry, {
      token: 'live-signed',
      pushType: 0,
      appPackageName: 'com.example.carillon',
      biTag: 'task-7',
      requestId: json.requestId,
    });
    assert.equal(deliveryStatus.result, 0);
    const [, timestamp, nonce, value] =
      /^timestamp=(\d+);nonce=([\w-]+);value=(.+)$/.exec(String(headers['x-huawei-callback-id'])) ?? [];
    const signed = createHmac('sha256', 'a key of the callback').update(`${timestamp}${nonce}callback`);
    assert.equal(value, signed.digest('base64'));
  });

  test('report 256 for the third marketing message of the day, which is accepted but not displayed', async () => {
    const send = (appMessageId: string, category = 'MARKETING') =>
      sender.send({ tokens: ['live-full'], notification: { category, appMessageId } });
    for (const id of ['1', '2', '3']) assert.equal((await send(id)).json.code, '80000000');
    await until(() => resultsOf('live-full').length === 3);
    assert.deepEqual(resultsOf('live-full').sort(), [0, 0, 256]);
    assert.equal(simulator.arrived('live-full').length, 2);
    await send('4', 'WORK');
    assert.equal(simulator.arrived('live-full').length, 3, 'other classes have no limit');
  });

  test('report the result that the name of a token selects', async () => {
    const expected = { gone: 2, moved: 5, muted: 6, stored: 27, capped: 102 };
    await sender.send({ tokens: Object.keys(expected).map((name) => `${name}-1`) });
    await until(() => resultsOf('capped-1').length === 1);
    for (const [name, result] of Object.entries(expected)) assert.deepEqual(resultsOf(`${name}-1`), [result]);
  });
});
