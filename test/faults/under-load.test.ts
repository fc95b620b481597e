import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeManyDays } from '../../bench/partitions.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Stack, startStack } from '../../scripts/stack/stack.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';
import { wrongClock } from './load/clock-offset.ts';
import { type FaultRun, type Faults, prepareRun } from './load/fault-run.ts';
import { everyDoorbellTenTimes } from './load/repeat-wake-ups.ts';
import { form } from './load/run-size.ts';
import type { Scenario } from './load/scenarios.ts';

const WORKERS = 3;
const KILL_EVERY_MS = 2_000;
const NATS_NODES = ['nats-1', 'nats-2', 'nats-3'] as const;

/** Few slots, so that a worker that dies leaves something to those that live; and everyone is expanded by all of them. */
const SETTINGS = {
  CARILLON_LEASE_SECONDS: form.leaseSeconds.toString(),
  CARILLON_VENDOR_DEADLINE_SECONDS: form.vendorDeadlineSeconds.toString(),
  CARILLON_ACKNOWLEDGE_SECONDS: '2',
  CARILLON_WORKER_SLOTS: '4',
  CARILLON_LIST_DEVICES_MAX: '0',
};

describe(`${form.devices} devices under load: nothing accepted is lost or counted twice`, () => {
  let stack: Stack;
  let carillon: Carillon;

  before(async () => {
    stack = await startStack({ natsNodes: NATS_NODES.length });
    carillon = await startCarillon({ stack, gateways: 2, workers: WORKERS, settings: SETTINGS });
    if (form.name === 'full') await makeManyDays(carillon.truth);
  });
  after(async () => {
    await carillon?.[Symbol.asyncDispose]();
    await stack?.stop();
  });

  const living = () => carillon.workers.filter(({ alive }) => alive);
  const timesLogged = (event: string) => carillon.lines.filter((line) => line.includes(`"event":"${event}"`)).length;

  /** The scenario's own app under load, and every role alive in the end. */
  function scenario(name: Scenario, injectFaults: (run: FaultRun) => Promise<Faults>): void {
    test(name, async () => {
      await using run = await prepareRun(carillon);
      const earlier = carillon.errors.length;
      await run.under(name, () => injectFaults(run));
      assert.deepEqual(
        [carillon.apis, carillon.gateways].flat().filter(({ alive }) => !alive),
        [],
      );
      assert.equal(living().length, WORKERS);
      assert.deepEqual(carillon.errors.slice(earlier), []);
    });
  }

  scenario('a worker is killed every two seconds', async (run) => {
    let [kills, holding] = [0, 0];
    const starting: Promise<RoleProcess>[] = [];
    await run.sending();
    for (; kills < form.kills; kills++) {
      const due = sleep(KILL_EVERY_MS);
      const oldest = await eventually(() => living()[0] ?? assert.fail('no worker lives'), 60);
      await run.doubt.noteUnclear([oldest]);
      await oldest.kill();
      if ((await run.doubt.notePlaces()) > 0) holding++;
      starting.push(carillon.start('worker')); // at once, but a busy machine may need longer than the next kill
      await due;
    }
    await Promise.all(starting);
    assert.ok(holding >= form.kills / 2, `${holding} of ${form.kills} kills met work under way`);
    return { kills, 'kills while Apple was called': holding };
  });

  scenario('workers stand still for longer than their leases', async (run) => {
    let stopped = 0;
    let takenOver = 0;
    for (let i = 0; i < form.stops; i++) {
      await run.sending();
      const some = living(); // all of them: whatever is held is held by one that stands still
      await run.doubt.noteUnclear(some);
      for (const worker of some) worker.signal('SIGSTOP');
      stopped += some.length;
      await using others = new AsyncDisposableStack();
      try {
        await run.doubt.notePlaces();
        const fresh = await carillon.start('worker');
        others.defer(async () => void (await fresh.stop()));
        await sleep(form.leaseSeconds * 1_000); // only then is what they held anybody else's
        takenOver = await eventually(async () => {
          const { slices } = await run.doubt.takenOver();
          assert.ok(slices > takenOver, 'nobody takes over what they held');
          return slices;
        }, 60);
      } finally {
        for (const worker of some) worker.signal('SIGCONT');
      }
    }
    assert.ok(stopped >= form.stops);
    return { 'workers stopped': stopped, 'slices taken over': takenOver };
  });

  scenario('PostgreSQL is killed', async (run) => {
    let kills = 0;
    for (; kills < form.postgresKills; kills++) {
      await run.sending();
      await stack.kill('postgres');
      await sleep(form.postgresAwayMs); // an outage has a length
      // A slow machine may start it later than leases end, and then workers would take over what is to be counted here.
      for (const worker of living()) worker.signal('SIGSTOP');
      try {
        await stack.start('postgres');
        await eventually(() => run.doubt.notePlaces(), 60);
      } finally {
        for (const worker of living()) worker.signal('SIGCONT');
      }
    }
    return { 'kills of PostgreSQL': kills };
  });

  scenario('all of NATS is away', async (run) => {
    await run.sending();
    const before = timesLogged('nats-lost');
    await stack.kill('nats');
    await sleep(form.natsAwayMs);
    const cutOff = timesLogged('nats-lost') - before;
    await stack.start('nats');
    assert.ok(cutOff >= 1 + 2 + WORKERS, `${cutOff} roles lost NATS`);
    return { 'NATS nodes killed': NATS_NODES.length, 'roles cut off': cutOff };
  });

  scenario('a node of NATS freezes', async (run) => {
    let [frozen, left] = [0, 0];
    // Whether anybody is connected to a node is not known before; at one of the three is somebody.
    for (const node of NATS_NODES) {
      await run.sending();
      const before = timesLogged('nats-lost');
      await stack.freeze(node);
      frozen++;
      await sleep(form.natsFrozenMs);
      left += timesLogged('nats-lost') - before;
      await stack.thaw(node);
      if (left > 0 && form.name === 'short') break;
    }
    assert.ok(left > 0, 'somebody left the frozen node');
    return { 'nodes frozen': frozen, 'roles that left': left };
  });

  scenario('every doorbell rings ten times', async (run) => {
    await using doorbells = await everyDoorbellTenTimes(stack.natsUrls, carillon.settings);
    await sleep(form.lastsMs);
    await run.sending();
    assert.ok(doorbells.heard >= 20, `${doorbells.heard} doorbells`);
    assert.equal(doorbells.rung, doorbells.heard * 9);
    return { doorbells: doorbells.heard, 'rung besides': doorbells.rung };
  });

  scenario('the clocks of workers are days wrong', async (run) => {
    const right = living();
    await Promise.all(right.map((worker) => worker.stop()));
    const since = carillon.lines.length;
    await Promise.all(['+3d', '-3d', '+30d'].map((offset) => carillon.start('worker', wrongClock(offset))));
    await run.sending();
    await sleep(form.lastsMs);
    const daysWrong = carillon.lines
      .slice(since)
      .filter((line) => line.includes('"event":"worker-works"'))
      .map((line) => Math.round((Date.parse((JSON.parse(line) as { time: string }).time) - Date.now()) / 86_400_000));
    assert.deepEqual(
      daysWrong.toSorted((a, b) => a - b),
      [-3, 3, 30],
    );
    return { 'wrong clocks': daysWrong.length };
  });
});
