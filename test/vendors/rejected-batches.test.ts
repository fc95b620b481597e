import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { VendorName } from '#src/domain/channel.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { VendorSender } from '#src/vendors/sender.ts';
import { startVendorSimulators, type VendorSimulators } from '../support/vendor-simulators.ts';

const TOKENS = 80;
const MALFORMED_AT = [3, 60];

let vendors: VendorSimulators;
let sender: VendorSender;
before(async () => {
  vendors = await startVendorSimulators();
  const settings = {
    CARILLON_VENDOR_DEADLINE_SECONDS: 10,
    CARILLON_VENDOR_PROXY_URL: '',
    CARILLON_VENDOR_PROXY_FOR: '',
    CARILLON_WEBPUSH_HOSTS: '',
    ...vendors.settings,
  };
  sender = new VendorSender(settings);
});
after(async () => {
  sender?.close();
  await vendors?.[Symbol.asyncDispose]();
});

let tasks = 0n;
function send(name: VendorName, tokens: readonly string[]): Promise<Outcome[]> {
  const taskId = ++tasks;
  const sends = tokens.map((token, i) => ({
    token,
    notification: {
      taskId,
      deviceId: BigInt(i),
      reference: `${taskId}.2.3`,
      message: { type: 'text', badge: '+1', body: 'ding' } as const,
      badge: 1,
      notAfter: new Date(Date.now() + 60_000),
    },
  }));
  return sender.send(name, vendors.newAccount(name), sends, new Date());
}

describe('one malformed token in a request', () => {
  for (const name of ['xiaomi', 'oppo', 'flyme'] as const) {
    test(`${name}: the other phones get the notification once`, async () => {
      const tokens = Array.from(
        { length: TOKENS },
        (_, i) => `${MALFORMED_AT.includes(i) ? 'malformed' : 'live'}-${name}-split-${i}`,
      );
      const outcomes = await send(name, tokens);
      for (const [i, outcome] of outcomes.entries())
        if (MALFORMED_AT.includes(i)) assert.ok(outcome.kind === 'token-dead' && outcome.suspect, tokens[i]);
        else assert.equal(outcome.kind, 'accepted', tokens[i]);
      const arrived = await vendors.arrivedTokens(name, `live-${name}-split-`);
      assert.deepEqual(arrived.toSorted(), tokens.filter((token) => token.startsWith('live-')).toSorted());
    });

    test(`${name}: a batch whose response is lost is not sent again in parts`, async () => {
      const tokens = Array.from({ length: 4 }, (_, i) => `live-${name}-lost-${i}`);
      await vendors.post(name, '/faults', { kind: 'truncate', requests: 1 });
      const outcomes = await send(name, tokens);
      assert.ok(outcomes.every(({ kind }) => kind === 'unreachable'));
      assert.deepEqual((await vendors.arrivedTokens(name, `live-${name}-lost-`)).toSorted(), tokens);
    });
  }
});
