import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type HuaweiSimulator, startHuaweiSimulator } from './huawei/simulator.ts';
import { openHuaweiSender } from './huawei/test-sender.ts';
import type { BearerSender } from './kit/test-sender.ts';
import { startXiaomiSimulator, type XiaomiSimulator } from './xiaomi/simulator.ts';
import { XiaomiSender } from './xiaomi/test-sender.ts';

const recalledTokens = (simulator: HuaweiSimulator | XiaomiSimulator) =>
  simulator
    .arrived()
    .filter(({ recalled }) => recalled)
    .map(({ token }) => token);

describe('a recall at the Huawei simulator', () => {
  let simulator: HuaweiSimulator;
  let sender: BearerSender;
  before(async () => {
    simulator = await startHuaweiSimulator();
    sender = await openHuaweiSender(simulator);
    await sender.send({ tokens: ['live-1', 'live-2'], notification: { notify_id: 7 } });
    await sender.send({ tokens: ['live-1'], notification: { notify_id: 8 } });
  });
  after(async () => {
    await sender[Symbol.asyncDispose]();
    await simulator.stop();
  });
  const revoke = (body: object, headers: Readonly<Record<string, string>> = { 'push-type': '0' }, path?: string) =>
    sender.send({
      path: path ?? `/v1/${simulator.app.appId}/messages:revoke`,
      headers,
      body: JSON.stringify(body),
    });

  const valid = { notifyId: 7, token: ['live-1'] };
  const refusals: readonly (readonly [string, () => ReturnType<typeof revoke>, string])[] = [
    ['no push-type', () => revoke(valid, {}), '80100003'],
    ['no number', () => revoke({ token: ['live-1'] }), '80100001'],
    ['no token', () => revoke({ notifyId: 7, token: [] }), '80300010'],
    ['1001 tokens', () => revoke({ notifyId: 7, token: new Array(1_001).fill('live-1') }), '80300010'],
    ['an unknown key', () => revoke({ ...valid, notify_id: 7 }), '80100003'],
    ['only dead tokens', () => revoke({ notifyId: 7, token: ['dead-1'] }), '80300007'],
    ['another app', () => revoke(valid, { 'push-type': '0' }, '/v1/1/messages:revoke'), '80300002'],
    ['a wrong bearer', () => revoke(valid, { 'push-type': '0', authorization: 'Bearer x' }), '80200001'],
  ];
  for (const [what, call, code] of refusals)
    test(`is rejected with ${what}`, async () => {
      assert.equal((await call()).json.code, code);
      assert.deepEqual(recalledTokens(simulator), []);
    });

  test('removes only the notification with this number from these phones, and can be repeated', async () => {
    for (let i = 0; i < 2; i++) {
      assert.equal((await revoke(valid)).json.code, '80000000');
      assert.deepEqual(recalledTokens(simulator), ['live-1']);
      assert.equal(simulator.screen().views.length, 2);
      assert.equal(simulator.arrived().length, 3);
    }
  });
});

describe('a recall at the Xiaomi simulator', () => {
  let simulator: XiaomiSimulator;
  let sender: XiaomiSender;
  before(async () => {
    simulator = await startXiaomiSimulator();
    sender = new XiaomiSender(simulator);
    await sender.send({ tokens: ['live-1', 'live-2'], form: { notify_id: '7' } });
    await sender.send({ tokens: ['live-1'], form: { notify_id: '8' } });
  });
  after(async () => {
    await sender[Symbol.asyncDispose]();
    await simulator.stop();
  });
  const revoke = (form: Readonly<Record<string, string>>, path = '/v3/message/regid/revoke') =>
    sender.send({ path, body: new URLSearchParams(form).toString() });

  const valid = { registration_ids: 'live-1', notify_id: '7' };
  const refusals: readonly (readonly [string, () => ReturnType<typeof revoke>, number])[] = [
    ['no target', () => revoke({ notify_id: '7' }), 10016],
    ['no number', () => revoke({ registration_ids: 'live-1' }), 10017],
    ['1001 targets', () => revoke({ ...valid, registration_ids: new Array(1_001).fill('x').join() }), 10017],
    ['an unknown field', () => revoke({ ...valid, registration_id: 'live-1' }), 10008],
    ['the package of another app', () => revoke({ ...valid, restricted_package_name: 'com.other' }), 22022],
    ['only dead tokens', () => revoke({ ...valid, registration_ids: 'dead-1' }), 20301],
    ['version 1 of the path', () => revoke(valid, '/v1/message/regid/revoke'), 10020],
  ];
  for (const [what, call, code] of refusals)
    test(`is rejected with ${what}`, async () => {
      assert.equal((await call()).json.code, code);
      assert.deepEqual(recalledTokens(simulator), []);
    });

  test('removes only the notification with this number from these phones, and can be repeated', async () => {
    for (let i = 0; i < 2; i++) {
      assert.equal((await revoke({ ...valid, registration_ids: 'live-1,dead-1' })).json.code, 0);
      assert.deepEqual(recalledTokens(simulator), ['live-1']);
      assert.equal(simulator.screen().views.length, 2);
    }
  });
});
