import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createManyPartitions } from '../../bench/partitions.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Stack, startStack } from '../../scripts/stack/stack.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';
import { clockOffsetSettings } from './load/clock-offset.ts';
import { type FaultRun, type Faults, prepareFaultRun } from './load/fault-run.ts';
import { repeatWakeUps } from './load/repeat-wake-ups.ts';
import { runSize } from './load/run-size.ts';
import type { Scenario } from './load/scenarios.ts';

const WORKERS = 3;
const KILL_EVERY_MS = 2_000;
const NATS_NODES = ['nats-1', 'nats-2', 'nats-3'] as const;

/**
 * Few slots, so that a killed worker leaves work for the others. Tasks for everyone are never expanded as one list, so
 * that all workers take part in the expansion.
 */
const SETTINGS = {
  CARILLON_LEASE_SECONDS: runSize.leaseSeconds.toString(),
  CARILLON_VENDOR_DEADLINE_SECONDS: runSize.vendorDeadlineSeconds.toString(),
  CARILLON_ACKNOWLEDGE_SECONDS: '2',
  CARILLON_WORKER_SLOTS: '4',
  CARILLON_SINGLE_EXPANSION_DEVICES_MAX: '0',
};

describe(`${runSize.devices} devices under load: no accepted notification is lost or counted twice`, () => {
  let stack: Stack;
  let carillon: Carillon;

  before(async () => {
    stack = await startStack({ natsNodes: NATS_NODES.length });
    carillon = await startCarillon({ stack, gateways: 2, workers: WORKERS, settings: SETTINGS });
    if (runSize.name === 'full') await createManyPartitions(carillon.storage);
  });
  after(async () => {
    await carillon?.[Symbol.asyncDispose]();
    await stack?.stop();
  });

  const liveWorkers = () => carillon.workers.filter(({ isAlive }) => isAlive);
  const timesLogged = (event: string) => carillon.logLines.filter((line) => line.includes(`"event":"${event}"`)).length;

  /** Runs a scenario with a separate app under load, and checks that every role is alive at the end. */
  function scenario(name: Scenario, injectFaults: (run: FaultRun) => Promise<Faults>): void {
    test(name, async () => {
      await using run = await prepareFaultRun(carillon);
      const earlier = carillon.errorLines.length;
      await run.runScenario(name, () => injectFaults(run));
      assert.deepEqual(
        [carillon.apis, carillon.gateways].flat().filter(({ isAlive }) => !isAlive),
        [],
      );
      assert.equal(liveWorkers().length, WORKERS);
      assert.deepEqual(carillon.errorLines.slice(earlier), []);
    });
  }

  scenario('a worker is killed every two seconds', async (run) => {
    let [kills, holding] = [0, 0];
    const starting: Promise<RoleProcess>[] = [];
    await run.waitUntilSending();
    for (; kills < runSize.kills; kills++) {
      const due = sleep(KILL_EVERY_MS);
      const oldest = await eventually(() => liveWorkers()[0] ?? assert.fail('no worker is alive'), 60);
      await run.unconfirmed.recordUnclearOutcomes([oldest]);
      await oldest.kill();
      if ((await run.unconfirmed.recordPlaces()) > 0) holding++;
      starting.push(carillon.start('worker')); // not awaited: on a busy machine, the start can take longer than the time until the next kill
      await due;
    }
    await Promise.all(starting);
    assert.ok(holding >= runSize.kills / 2, `${holding} of ${runSize.kills} kills interrupted calls to Apple`);
    return { kills, 'kills during calls to Apple': holding };
  });

  scenario('workers pause for longer than their leases', async (run) => {
    let stopped = 0;
    let takenOver = 0;
    for (let i = 0; i < runSize.pauses; i++) {
      await run.waitUntilSending();
      const pausedWorkers = liveWorkers(); // all of them, so that every claim is held by a paused worker
      await run.unconfirmed.recordUnclearOutcomes(pausedWorkers);
      for (const worker of pausedWorkers) worker.signal('SIGSTOP');
      stopped += pausedWorkers.length;
      await using others = new AsyncDisposableStack();
      try {
        await run.unconfirmed.recordPlaces();
        const fresh = await carillon.start('worker');
        others.defer(async () => void (await fresh.stop()));
        await sleep(runSize.leaseSeconds * 1_000); // other workers cannot take over the claims before the leases expire
        takenOver = await eventually(async () => {
          const { slices } = await run.unconfirmed.countReclaimed();
          assert.ok(slices > takenOver, 'no claim of the paused workers was taken over');
          return slices;
        }, 60);
      } finally {
        for (const worker of pausedWorkers) worker.signal('SIGCONT');
      }
    }
    assert.ok(stopped >= runSize.pauses);
    return { 'workers paused': stopped, 'slices taken over': takenOver };
  });

  scenario('PostgreSQL is killed', async (run) => {
    let kills = 0;
    for (; kills < runSize.postgresKills; kills++) {
      await run.waitUntilSending();
      await stack.kill('postgres');
      await sleep(runSize.postgresAwayMs); // duration of the outage
      // On a slow machine PostgreSQL may start after leases have expired. Workers would then take over claims before
      // they are recorded.
      for (const worker of liveWorkers()) worker.signal('SIGSTOP');
      try {
        await stack.start('postgres');
        await eventually(() => run.unconfirmed.recordPlaces(), 60);
      } finally {
        for (const worker of liveWorkers()) worker.signal('SIGCONT');
      }
    }
    return { 'kills of PostgreSQL': kills };
  });

  scenario('all NATS nodes are down', async (run) => {
    await run.waitUntilSending();
    const before = timesLogged('nats-disconnected');
    await stack.kill('nats');
    await sleep(runSize.natsAwayMs);
    const cutOff = timesLogged('nats-disconnected') - before;
    await stack.start('nats');
    assert.ok(cutOff >= 1 + 2 + WORKERS, `${cutOff} roles lost their connection to NATS`);
    return { 'NATS nodes killed': NATS_NODES.length, 'roles disconnected': cutOff };
  });

  scenario('a NATS node freezes', async (run) => {
    let [frozen, left] = [0, 0];
    // The node that a role is connected to is not known in advance. At least one of the three nodes has a connection.
    for (const node of NATS_NODES) {
      await run.waitUntilSending();
      const before = timesLogged('nats-disconnected');
      await stack.freeze(node);
      frozen++;
      await sleep(runSize.natsFrozenMs);
      left += timesLogged('nats-disconnected') - before;
      await stack.thaw(node);
      if (left > 0 && runSize.name === 'short') break;
    }
    assert.ok(left > 0, 'at least one role left the frozen node');
    return { 'nodes frozen': frozen, 'roles that left': left };
  });

  scenario('every wake-up signal is sent ten times', async (run) => {
    await using wakeUps = await repeatWakeUps(stack.natsUrls, carillon.settings);
    await sleep(runSize.faultDurationMs);
    await run.waitUntilSending();
    assert.ok(wakeUps.received >= 20, `${wakeUps.received} wake-up signals`);
    assert.equal(wakeUps.sent, wakeUps.received * 9);
    return { 'wake-ups': wakeUps.received, 'repeated signals': wakeUps.sent };
  });

  scenario('the clocks of workers are wrong by days', async (run) => {
    const right = liveWorkers();
    await Promise.all(right.map((worker) => worker.stop()));
    const since = carillon.logLines.length;
    await Promise.all(['+3d', '-3d', '+30d'].map((offset) => carillon.start('worker', clockOffsetSettings(offset))));
    await run.waitUntilSending();
    await sleep(runSize.faultDurationMs);
    const daysWrong = carillon.logLines
      .slice(since)
      .filter((line) => line.includes('"event":"worker-started"'))
      .map((line) => Math.round((Date.parse((JSON.parse(line) as { time: string }).time) - Date.now()) / 86_400_000));
    assert.deepEqual(
      daysWrong.toSorted((a, b) => a - b),
      [-3, 3, 30],
    );
    return { 'wrong clocks': daysWrong.length };
  });
});
