import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { connectSwarmDevice, createSwarm, type SwarmDevice, type SwarmMember } from '../../support/device-swarm.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';

const USE_ANOTHER_SERVER = 0x9c;
const SERVER_UNAVAILABLE_3_1_1 = 3;
const DRAIN_SECONDS = 5;
const DEVICES = 20;

describe('a gateway that is stopped', () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon({ gateways: 0 });
  });
  after(async () => {
    if (carillon) await checkLaws(carillon.storage);
    await carillon?.[Symbol.asyncDispose]();
  });

  const startGateway = (drainSeconds: number): Promise<RoleProcess> =>
    carillon.start('gateway', { CARILLON_GATEWAY_DRAIN_SECONDS: drainSeconds.toString() });
  const portOf = ({ ports }: RoleProcess) => ports.gateway as number;

  test('disconnects its devices one after the other, accepts no new ones, and still counts acknowledgements', async () => {
    const gateway = await startGateway(DRAIN_SECONDS);
    const { members } = await createSwarm(carillon, DEVICES + 1);
    const silent = members[DEVICES] as SwarmMember;
    const devices: SwarmDevice[] = [];
    const endedAt: number[] = [];
    // The first device to connect is the first to be disconnected. It has an unacknowledged notification.
    using slow = await connectSwarmDevice(portOf(gateway), silent.login, { acknowledges: false });
    for (const [i, { login }] of members.slice(0, DEVICES).entries()) {
      const device = await connectSwarmDevice(portOf(gateway), login, { version: i % 2 === 0 ? 5 : 4 });
      device.socket.once('close', () => endedAt.push(performance.now()));
      devices.push(device);
    }
    const taskId = await carillon.notify({ user_id: [silent.userId] }, { body: 'before the drain' });
    await eventually(() => assert.deepEqual(slow.taskIds, [taskId.toString()]));

    const began = performance.now();
    const stopping = gateway.stop();
    await eventually(() => assert.ok(endedAt.length > 0), DRAIN_SECONDS);
    assert.ok(slow.open, 'a device with an unacknowledged notification stays connected');
    assert.equal((await fetch(`${gateway.healthUrl}/readyz`)).status, 503);
    using late5 = await connectSwarmDevice(portOf(gateway), silent.login);
    using late4 = await connectSwarmDevice(portOf(gateway), silent.login, { version: 4 });
    assert.deepEqual([late5.connack, late4.connack], [USE_ANOTHER_SERVER, SERVER_UNAVAILABLE_3_1_1]);
    const second = await carillon.notify({ user_id: [silent.userId] }, { body: 'during the drain' });
    await eventually(async () => assert.deepEqual(await carillon.counters(second), { nativepush: [1, 0, 0] }));

    slow.send({ cmd: 'puback', messageId: 1 });
    await slow.ended();
    assert.equal(slow.disconnectReason, USE_ANOTHER_SERVER);
    assert.equal(await stopping, 0, carillon.warningLines.join('\n'));
    assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] });

    for (const [i, { disconnectReason }] of devices.entries())
      assert.equal(disconnectReason, i % 2 === 0 ? USE_ANOTHER_SERVER : undefined);
    const seconds = endedAt.map((at) => Math.floor((at - began) / 1_000));
    const busiest = Math.max(...seconds.map((second) => seconds.filter((other) => other === second).length));
    assert.ok(busiest <= DEVICES / 2, `${busiest} of ${DEVICES} devices were disconnected within one second`);

    const other = await startGateway(0);
    using again = await connectSwarmDevice(portOf(other), silent.login);
    await eventually(() =>
      assert.deepEqual(again.taskIds, [second.toString()], 'only the second notification is received, once'),
    );
    await other.stop();
  });

  test('ends immediately after a second signal', async () => {
    const gateway = await startGateway(600);
    const { members } = await createSwarm(carillon, 5);
    const devices = await Promise.all(members.map(({ login }) => connectSwarmDevice(portOf(gateway), login)));
    gateway.signal('SIGTERM');
    await eventually(() => assert.ok(carillon.logLines.some((line) => line.includes('"event":"stopping"'))));
    await eventually(async () => assert.equal((await fetch(`${gateway.healthUrl}/readyz`)).status, 503));
    assert.ok(devices.some(({ open }) => open));
    const began = performance.now();
    assert.equal(await gateway.stop(), 0);
    assert.ok(performance.now() - began < 10_000);
    assert.ok(devices.every(({ disconnectReason }) => disconnectReason === USE_ANOTHER_SERVER));
  });

  test('is replaced while notifications are sent: all are delivered and counted exactly', async () => {
    let gateways = [await startGateway(3), await startGateway(3)];
    using swarm = await createSwarm(carillon, DEVICES, { ports: () => gateways.map(portOf) });
    await swarm.connectAll();
    const sent: { taskId: bigint; member: SwarmMember }[] = [];
    const over = new AbortController();
    const sending = (async () => {
      while (!over.signal.aborted)
        for (const member of swarm.members) {
          const taskId = await carillon.notify({ user_id: [member.userId] }, { body: `number ${sent.length}` });
          sent.push({ taskId, member });
          await sleep(10);
        }
    })();
    for (let i = 0; i < 2; i++) {
      const fresh = await startGateway(3);
      const [oldest, ...others] = gateways as [RoleProcess, ...RoleProcess[]];
      gateways = [...others, fresh];
      assert.equal(await oldest.stop(), 0);
    }
    over.abort();
    await sending;
    await eventually(() =>
      assert.ok(
        swarm.members.every(({ connects }) => connects > 1),
        'every device reconnected',
      ),
    );
    await eventually(() => {
      const missing = sent.filter(({ taskId, member }) => !member.taskIds.includes(taskId.toString()));
      assert.equal(missing.length, 0, `${missing.length} of ${sent.length} notifications were not received`);
    }, 30);
    for (const { taskId } of sent)
      await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));
    await checkLaws(carillon.storage);
  });
});
