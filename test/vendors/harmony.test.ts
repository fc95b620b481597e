import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Outcome } from '#src/domain/outcome.ts';
import { type VendorSend, VendorSender } from '#src/vendors/sender.ts';
import type { VendorAccount } from '#src/vendors/vendor.ts';
import { startVendorSimulators, type VendorSimulators } from '../support/vendor-simulators.ts';

/** Tests of rules that only HarmonyOS has, through the sender and the simulator. */

let vendors: VendorSimulators;
let sender: VendorSender;
before(async () => {
  vendors = await startVendorSimulators();
  sender = new VendorSender({
    CARILLON_VENDOR_DEADLINE_SECONDS: 10,
    CARILLON_VENDOR_PROXY_URL: '',
    CARILLON_VENDOR_PROXY_FOR: '',
    CARILLON_WEBPUSH_HOSTS: '',
    ...vendors.settings,
  });
});
after(async () => {
  sender.close();
  await vendors[Symbol.asyncDispose]();
});

let tasks = 0n;
function send(tokens: readonly string[], change: Partial<VendorAccount> = {}): Promise<Outcome[]> {
  const taskId = ++tasks;
  const sends = tokens.map(
    (token, i): VendorSend => ({
      token,
      notification: {
        taskId,
        deviceId: BigInt(i) * 64n,
        reference: `${taskId}.2.3`,
        message: { type: 'text', badge: '+1', body: 'ding' },
        badge: 1,
        notAfter: new Date(Date.now() + 60_000),
      },
    }),
  );
  return sender.send('harmony', vendors.newAccount('harmony', change), sends, new Date());
}

async function requestsUntilNow(): Promise<number> {
  const { send: ofSend } = await vendors.get<{ send: { requests: Record<string, number> } }>('harmony', '/counts');
  return Object.values(ofSend.requests).reduce((sum, count) => sum + count, 0);
}

describe('HarmonyOS', () => {
  test('test messages are sent to at most 10 tokens per request', async () => {
    const before = await requestsUntilNow();
    const outcomes = await send(
      Array.from({ length: 25 }, (_, i) => `live-test-${i}`),
      { environment: 0 },
    );
    assert.ok(outcomes.every(({ kind }) => kind === 'accepted'));
    assert.equal((await requestsUntilNow()) - before, 3);
  });

  test('only two reasons mean that a token is dead', async () => {
    const tokens = [
      'live-reasons',
      'reason-tokenFormatError-1',
      'reason-tokenPlatformNotSupport-1',
      'reason-noRight-1',
      'reason-noPushTypeRight-1',
      'reason-countryNotSupport-1',
      'reason-differentImgVerifyPolicy-1',
    ];
    const outcomes = await send(tokens);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.kind === 'token-dead' && outcome.suspect ? 'suspect' : outcome.kind)),
      ['accepted', 'token-dead', 'token-dead', 'suspect', 'refused', 'refused', 'refused'],
    );
  });

  test('a suspended app locks the account out', async () => {
    const [outcome] = await send(['reason-disableSendHuaweiMsgBecauseOfPenalty-1']);
    assert.equal(outcome?.kind, 'locked-out');
  });

  test('the phone displays a notification once, even if it is sent again', async () => {
    const account = vendors.newAccount('harmony');
    const notification = {
      ...{ taskId: 7_777n, deviceId: 64n, reference: '7777.2.3', badge: 1, notAfter: new Date(Date.now() + 60_000) },
      message: { type: 'text', badge: '+1', body: 'ding' } as const,
    };
    for (let times = 0; times < 2; times++)
      await sender.send('harmony', account, [{ token: 'live-again', notification }], new Date());
    assert.deepEqual(await vendors.arrivedTokens('harmony', 'live-again'), ['live-again']);
  });
});
