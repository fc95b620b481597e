import { thisProcess } from '../environment/scheduler.ts';
import { homeRows, shardRows } from '../storage/rows.ts';
import type { Manner } from './phone.ts';
import { apps, vendorNames, type World } from './simulated-system.ts';

/** Makes a world: who is there when it begins. */
export function populate(world: World): void {
  const { random } = world;
  for (const appId of apps) {
    for (const channel of vendorNames) world.setCertificate(appId, channel, random.chance(0.8));
    for (let i = random.between(2, 5); i > 0; i--) world.addPhone(appId, BigInt(random.between(1, 3)));
  }
  for (let i = random.between(1, 2); i > 0; i--) world.startGateway();
  for (let i = random.between(2, 3); i > 0; i--) world.startWorker();
  for (const phone of world.phones) {
    phone.manner = random.pick(manners);
    if (random.chance(0.6)) phone.goOnline();
  }
  disturbWorkers(world);
}

/** Does something to the world every moment until it is told to stop. */
export async function stir(world: World): Promise<void> {
  const { random, scheduler } = world;
  const everyoneAt = random.chance(0.15) ? random.below(10) : -1;
  for (let i = 0; world.faults.active; i++) {
    if (i === everyoneAt) world.api.notify(true);
    else random.pick(deeds)(world);
    await scheduler.step('…', random.between(20, 700));
  }
}

type Deed = (world: World) => void;

const deeds: readonly Deed[] = [
  (world) => world.api.notify(false),
  (world) => world.api.notify(false),
  (world) => world.api.notify(false),
  (world) => world.api.notify(false),
  (world) => world.api.notify(false),
  cancelAtOnce,
  disturbGateway,
  disturbApi,
  disturbEngines,
  changePresence,
  changePresence,
  changeManner,
  changeOwner,
  changeCertificate,
  changeVendor,
  changeVendor,
];

/**
 * A worker may die or stand still before and after each of its commits, calls and requests, and somebody may cancel
 * what it is working on.
 */
function disturbWorkers(world: World): void {
  const { faults, random, scheduler } = world;
  const chaos = thisProcess();
  scheduler.onStep = (process, label) => {
    if (!faults.active || !world.workers.includes(process)) return;
    if (faults.strikes('worker crashed', 0.008)) {
      scheduler.note(`${process.name} dies before: ${label}`);
      process.crash();
      scheduler.post(chaos, random.between(10, 3_000), 'a worker starts', () => world.startWorker());
    } else if (random.chance(0.003)) scheduler.post(chaos, 0, 'cancels', () => cancelSomething(world));
    else if (faults.strikes('worker paused', 0.01)) {
      scheduler.note(`${process.name} stands still before: ${label}`);
      process.pause(random.between(500, 25_000));
    }
  };
}

/** Most cancels are of what was sent by mistake a moment ago. */
function cancelAtOnce(world: World): void {
  const { random, scheduler, api } = world;
  const taskId = api.notify(false);
  scheduler.post(thisProcess(), random.between(5, random.pick([60, 400, 5_000])), 'cancels', () => api.cancel(taskId));
}

/** Whatever a worker is about to do with it. */
function cancelSomething(world: World): void {
  const open = [...homeRows(world.truth.home).tasks.values()].filter(({ state }) => state !== 'finished');
  if (open.length > 0) world.api.cancel(world.random.pick(open).task.taskId);
}

function disturbGateway(world: World): void {
  const { faults, random, scheduler } = world;
  const alive = world.gateways.filter(({ process }) => process.alive);
  if (alive.length === 0) return;
  const gateway = random.pick(alive);
  if (faults.strikes('gateway paused', 0.5)) gateway.process.pause(random.between(500, 12_000));
  else if (faults.strikes('gateway crashed', 0.5)) {
    gateway.crash();
    scheduler.post(thisProcess(), random.between(10, 3_000), 'a gateway starts', () => world.startGateway());
  }
}

function disturbApi(world: World): void {
  if (world.faults.strikes('api died half-way', 0.5)) world.api.crash();
}

function disturbEngines(world: World): void {
  const { faults, random, scheduler, bus } = world;
  if (faults.strikes('database away', 0.3))
    random.pick([world.home, ...world.storages]).awayUntil = scheduler.now + random.between(100, 5_000);
  if (faults.strikes('motion down', 0.3)) bus.downUntil = scheduler.now + random.between(100, 5_000);
  if (faults.strikes('presence forgotten', 0.3)) {
    const rows = shardRows(random.pick(world.truth.shards.all));
    rows.gateways.clear();
    rows.sessions.clear();
  }
}

function changePresence(world: World): void {
  const phone = world.random.pick(world.phones);
  if (phone.online) {
    world.faults.count('device went offline');
    phone.goOffline();
  } else if (phone.userId !== null) {
    world.faults.count('device came back');
    phone.goOnline();
  }
}

const manners: readonly Manner[] = ['answers', 'answers', 'silent', 'late', 'twice'];

function changeManner(world: World): void {
  world.random.pick(world.phones).manner = world.random.pick(manners);
}

/** One commit, and if its answer is lost the person tries again. */
function changeOwner(world: World): void {
  const { random, scheduler, faults } = world;
  const phone = random.pick(world.phones);
  const leaves = random.chance(0.4);
  if (phone.changing || (leaves && phone.userId === null)) return;
  faults.count(leaves ? 'device logged out' : 'device changed hands');
  const userId = leaves ? null : BigInt(random.between(4, 6));
  phone.changing = true;
  scheduler.run(scheduler.process('person'), async () => {
    for (;;) {
      try {
        await phone.changeHands(userId);
        break;
      } catch {
        await scheduler.sleep(300);
      }
    }
    phone.changing = false;
  });
}

function changeCertificate(world: World): void {
  const [appId, channel] = [world.random.pick(apps), world.random.pick(vendorNames)];
  const there = homeRows(world.truth.home).certificates.has(`${appId} ${channel}`);
  world.faults.count(there ? 'certificate removed' : 'certificate added');
  world.setCertificate(appId, channel, !there);
}

function changeVendor(world: World): void {
  world.vendors.changeMood(world.random.pick(apps), world.random.pick(vendorNames));
}
