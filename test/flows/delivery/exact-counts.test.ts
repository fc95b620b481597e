import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { connectDevice, type TestDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';

const PHONES = 30;
/** A phone that has not acknowledged within this time is reached over another channel. */
const ACKNOWLEDGE_SECONDS = 30;
/** Maximum time until all receipts are counted. Receipts are written in batches every few milliseconds. */
const RECEIPT_SECONDS_MAX = 5;

describe('exact counting of devices', () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon({
      settings: { CARILLON_ACKNOWLEDGE_SECONDS: ACKNOWLEDGE_SECONDS.toString() },
    });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const phone = async (deviceGuid: string, apnsToken?: string) => {
    const { storage, appId } = carillon;
    const userId = await addUser(storage.home, appId);
    return addDevice(storage, { appId, userId, deviceGuid, ...(apnsToken !== undefined && { apnsToken }) });
  };

  test('a notification that Apple accepted without a clear response is sent again and counted once', async () => {
    const { push_token } = await phone('iphone', 'live-unclear');
    const fault = { kind: 'truncate', requests: 1 };
    await fetch(`${carillon.apns.facts.control_url}/faults`, { method: 'POST', body: JSON.stringify(fault) });
    const taskId = await carillon.notify({ push_token: [push_token] }, { body: 'once or twice' });
    await waitUntilFinished(carillon.storage, taskId);
    const arrived = await carillon.apnsNotificationsFor('live-unclear');
    assert.deepEqual(
      arrived.map(({ collapse_id }) => collapse_id),
      [taskId.toString(), taskId.toString()],
    );
    const counted = await carillon.counters(taskId);
    assert.deepEqual(counted, { apns: [1, 1, 0] }, `${counted.apns?.[1]} are counted as sent to one phone`);
    await checkLaws(carillon.storage);
  });

  test(`${PHONES} phones that acknowledge at the same moment are counted as ${PHONES} receipts`, async () => {
    const logins = await Promise.all(Array.from({ length: PHONES }, (_, i) => phone(`phone-${i}`)));
    const [gateway] = carillon.gateways as [RoleProcess];
    await using parts = new AsyncDisposableStack();
    const devices: TestDevice[] = [];
    for (const login of logins) devices.push(parts.use(await connectDevice(gateway, login)));
    const pushTokens = logins.map(({ push_token }) => push_token);
    const taskId = await carillon.notify({ push_token: pushTokens }, { body: 'same moment' });
    await eventually(() => assert.ok(devices.every(({ taskIds }) => taskIds.includes(taskId.toString()))));
    // Checked before any notification is sent again, because a repeat would hide a lost receipt.
    await eventually(async () => {
      const { nativepush } = await carillon.counters(taskId);
      assert.deepEqual(nativepush, [PHONES, PHONES, PHONES], `${nativepush?.[2]} of ${PHONES} receipts are counted`);
    }, RECEIPT_SECONDS_MAX);
    await waitUntilFinished(carillon.storage, taskId);
  });
});
