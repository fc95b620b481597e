import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { harmony } from '#src/vendors/harmony/harmony.ts';
import { honor } from '#src/vendors/honor/honor.ts';
import { huawei } from '#src/vendors/huawei/huawei.ts';
import { toPost as toHarmonyPost } from '../../simulators/harmony/receipts.ts';
import { DELIVERED, toPost as toHonorPost } from '../../simulators/honor/receipts.ts';
import { toPost as toHuaweiPost } from '../../simulators/huawei/receipts.ts';

const secrets = { userName: 'callback', key: Buffer.from('a key of the callback').toString('base64') };
const good = { hasBadSignature: false, isOld: false };
const atMs = Date.now();

const expectedReceipts = (status: number) => [
  { appId: '1', token: 't1', biTag: '7.1.9', requestId: '157', status, atMs },
];
const address = (version: 'V1' | 'V2', keyMode: 'base64' | 'text') =>
  ({ url: '', version, ...secrets, keyMode, delayMs: 0, status: undefined }) as const;
const receipt = { token: 't1', reference: '7.1.9', at: new Date(atMs) };

describe('receipts from the Huawei simulator', () => {
  for (const version of ['V1', 'V2'] as const) {
    for (const keyMode of ['base64', 'text'] as const) {
      test(`are verified and parsed: ${version}, with the key as ${keyMode}`, () => {
        const { headers, body } = toHuaweiPost(expectedReceipts(2), address(version, keyMode), good);
        assert.equal(huawei.receipts?.isSigned?.(headers, secrets, new Date()), true);
        assert.deepEqual(huawei.receipts?.read(JSON.parse(body)), [{ ...receipt, kind: 'token-dead', code: '2' }]);
      });

      test(`are rejected with a bad or old signature: ${version}, with the key as ${keyMode}`, () => {
        for (const spoiled of [{ hasBadSignature: true }, { isOld: true }]) {
          const { headers } = toHuaweiPost(expectedReceipts(0), address(version, keyMode), { ...good, ...spoiled });
          assert.equal(huawei.receipts?.isSigned?.(headers, secrets, new Date()), false);
        }
      });
    }
  }
});

test('receipts from the HarmonyOS simulator are verified and parsed, and rejected with a bad or old signature', () => {
  const to = address('V2', 'base64');
  const { headers, body } = toHarmonyPost(expectedReceipts(256), to, good);
  assert.equal(harmony.receipts?.isSigned?.(headers, secrets, new Date()), true);
  assert.deepEqual(harmony.receipts?.read(JSON.parse(body)), [{ ...receipt, kind: 'failed', code: '256' }]);
  for (const spoiled of [{ hasBadSignature: true }, { isOld: true }]) {
    const { headers: spoiledHeaders } = toHarmonyPost(expectedReceipts(0), to, { ...good, ...spoiled });
    assert.equal(harmony.receipts?.isSigned?.(spoiledHeaders, secrets, new Date()), false);
  }
});

test('receipts from the Honor simulator are parsed', () => {
  const { body } = toHonorPost(expectedReceipts(DELIVERED), address('V1', 'text'), good);
  const expected = [{ ...receipt, kind: 'delivered', code: String(DELIVERED) }];
  assert.deepEqual(honor.receipts?.read(JSON.parse(body)), expected);
});
