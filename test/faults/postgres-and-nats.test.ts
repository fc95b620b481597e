import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Stack, startStack } from '../../scripts/stack/stack.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { type ConnectedUsers, connectUsers } from '../support/connected-users.ts';
import { checkLaws } from '../support/laws.ts';

/** Short leases, so that slices still leased after a failed statement are claimed again soon. */
const SETTINGS = {
  CARILLON_LEASE_SECONDS: '7',
  CARILLON_VENDOR_DEADLINE_SECONDS: '3',
  CARILLON_ACKNOWLEDGE_SECONDS: '2',
};

describe('outages of NATS and PostgreSQL while devices stay connected', () => {
  let stack: Stack;
  let carillon: Carillon;
  let crowd: ConnectedUsers;

  before(async () => {
    stack = await startStack();
    carillon = await startCarillon({ stack, gateways: 2, workers: 2, settings: SETTINGS });
    crowd = await connectUsers(carillon, 20);
  });
  after(async () => {
    await crowd?.[Symbol.asyncDispose]();
    await carillon?.[Symbol.asyncDispose]();
    await stack?.stop();
  });

  const everyRoleLives = () => {
    const dead = [...carillon.apis, ...carillon.gateways, ...carillon.workers].filter((role) => !role.isAlive);
    assert.deepEqual(
      dead.map(({ role }) => role),
      [],
      carillon.warningLines.join('\n'),
    );
  };

  const nobodyReconnected = () =>
    assert.ok(
      crowd.devices.every(({ closes }) => closes === 0),
      'no device lost its connection',
    );

  test('NATS: all 200 notifications before, during and after the outage are received and counted exactly', async () => {
    // The schedule ensures that some notifications are sent before, during and after the outage, regardless of the
    // speed of the machine.
    const sending = crowd.notifyInTurn(100, 'nats', 2);
    await until(() => crowd.accepted.length >= 40);
    await stack.kill('nats');
    await crowd.notifyInTurn(40, 'without-nats', 2);
    const again = crowd.notifyInTurn(60, 'nats-again', 2);
    await stack.start('nats');
    await Promise.all([sending, again]);
    assert.equal(crowd.retries, 0, 'accepting tasks does not need NATS');
    await crowd.waitUntilDelivered(60);
    await crowd.waitUntilFinished(60);
    nobodyReconnected();
    everyRoleLives();
    await checkLaws(carillon.storage);
  });

  test('PostgreSQL: all 200 notifications before, during and after the outage are received and counted exactly', async () => {
    const start = crowd.accepted.length;
    const sending = crowd.notifyInTurn(150, 'postgres', 4);
    await until(() => crowd.accepted.length >= start + 60);
    await stack.kill('postgres');
    const refused = crowd.notifyInTurn(50, 'without-postgres', 2);
    await sleep(1_000); // duration of the outage
    await stack.start('postgres');
    await Promise.all([sending, refused]);
    assert.ok(crowd.retries > 0, 'calls failed during the outage');
    everyRoleLives();
    await crowd.waitUntilDelivered(60);
    await crowd.waitUntilFinished(60);
    nobodyReconnected();
    everyRoleLives();
    await checkLaws(carillon.storage);
  });

  test('presence is restored after the crash emptied it: notifications reach devices over the Carillon channel', async () => {
    const start = crowd.accepted.length;
    await crowd.notifyInTurn(20, 'after-crash');
    assert.equal(crowd.accepted.length, start + 20);
    await crowd.waitUntilDelivered(10);
    nobodyReconnected();
    everyRoleLives();
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  for (let i = 0; i < 3_000; i++) {
    if (isTrue()) return;
    await sleep(10);
  }
  throw new Error('The condition was not met within 30 seconds.');
}
