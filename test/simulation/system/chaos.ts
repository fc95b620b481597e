import { type Lane, lanes } from '#src/domain/task.ts';
import { currentProcess } from '../environment/scheduler.ts';
import { homeRows, shardRows } from '../storage/rows.ts';
import type { PhoneBehavior } from './phone.ts';
import { apps, type SimulatedSystem, vendorNames } from './simulated-system.ts';

/** User IDs are far apart, so that the users of a group are on different pages of its members. */
const firstUserIds = [500n, 1_000n, 1_500n, 2_500n] as const;

/** A group with up to three pages of 1,024 members. Most members have no device. */
const groupSizes = [700, 1_024, 2_048, 2_600] as const;

/** Creates the initial credentials, phones, gateways and workers. */
export function populate(system: SimulatedSystem): void {
  const { random } = system;
  for (const appId of apps) {
    for (const channel of vendorNames) system.setCertificate(appId, channel, random.chance(0.8));
    for (let i = random.between(2, 5); i > 0; i--) system.addPhone(appId, random.pick(firstUserIds));
    system.fillGroup(appId, random.pick(groupSizes));
  }
  for (let i = random.between(1, 2); i > 0; i--) system.startGateway();
  for (let i = random.between(2, 3); i > 0; i--) system.startWorker();
  for (const phone of system.phones) {
    phone.behavior = random.pick(behaviors);
    if (random.chance(0.6)) phone.goOnline();
  }
  disturbWorkers(system);
}

const bulkChoices = ['all', 'all', 'group'] as const;

/** Sends notifications and injects faults at random intervals until the faults end. */
export async function injectFaults(system: SimulatedSystem): Promise<void> {
  const { random, scheduler } = system;
  while (system.faults.active) {
    random.pick(faultActions)(system);
    await scheduler.step('…', random.between(20, 700));
  }
}

type FaultAction = (system: SimulatedSystem) => void;

const faultActions: readonly FaultAction[] = [
  (system) => system.api.notify('list'),
  (system) => system.api.notify('list'),
  (system) => system.api.notify('list'),
  (system) => system.api.notify('list'),
  (system) => system.api.notify('list'),
  (system) => system.api.notify(system.random.pick(bulkChoices)),
  cancelAtOnce,
  disturbGateway,
  disturbApi,
  disturbStorageAndNats,
  changePresence,
  changePresence,
  changeBehavior,
  logOutOrIn,
  changeCertificate,
  changeVendor,
  changeVendor,
];

/** The probability that a task is cancelled at a step of a worker. */
const STEP_CANCELLED = 0.003;
/** The probability that a bulk task is cancelled while an expansion runs, which takes only a few steps. */
const EXPANSION_CANCELLED = 0.2;

/** Crashes workers, pauses workers and cancels tasks at random steps of a worker. */
function disturbWorkers(system: SimulatedSystem): void {
  const { faults, random, scheduler } = system;
  const chaos = currentProcess();
  scheduler.onStep = (process, label) => {
    if (!faults.active || !system.workers.includes(process)) return;
    if (faults.happens('worker crashed', 0.008)) {
      scheduler.note(`${process.name} crashes before: ${label}`);
      process.crash();
      scheduler.post(chaos, random.between(10, 3_000), 'a worker starts', () => system.startWorker());
    } else if (random.chance(STEP_CANCELLED)) scheduler.post(chaos, 0, 'cancels', () => cancelSomething(system, lanes));
    else if (label.includes('claimExpansions') && random.chance(EXPANSION_CANCELLED))
      scheduler.post(chaos, 0, 'cancels', () => cancelSomething(system, ['bulk']));
    else if (faults.happens('worker paused', 0.01)) {
      scheduler.note(`${process.name} pauses before: ${label}`);
      process.pause(random.between(500, 25_000));
    }
  };
}

/** Cancels a task shortly after sending it, because most cancelled tasks were sent by mistake. */
function cancelAtOnce(system: SimulatedSystem): void {
  const { random, scheduler, api } = system;
  const taskId = api.notify(random.chance(0.2) ? random.pick(bulkChoices) : 'list');
  scheduler.post(currentProcess(), random.between(5, random.pick([60, 400, 5_000])), 'cancels', () =>
    api.cancel(taskId),
  );
}

/** Cancels an open task of these lanes, at any step of a worker. */
function cancelSomething(system: SimulatedSystem, fromLanes: readonly Lane[]): void {
  const open = [...homeRows(system.storage.home).tasks.values()].filter(
    ({ state, task }) => state !== 'finished' && fromLanes.includes(task.lane),
  );
  if (open.length > 0) system.api.cancel(system.random.pick(open).task.taskId);
}

function disturbGateway(system: SimulatedSystem): void {
  const { faults, random, scheduler } = system;
  const alive = system.gateways.filter(({ process }) => process.alive);
  if (alive.length === 0) return;
  const gateway = random.pick(alive);
  if (faults.happens('gateway paused', 0.5)) gateway.process.pause(random.between(500, 12_000));
  else if (faults.happens('gateway crashed', 0.5)) {
    gateway.crash();
    scheduler.post(currentProcess(), random.between(10, 3_000), 'a gateway starts', () => system.startGateway());
  }
}

function disturbApi(system: SimulatedSystem): void {
  if (system.faults.happens('api crashed mid-request', 0.5)) system.api.crash();
}

function disturbStorageAndNats(system: SimulatedSystem): void {
  const { faults, random, scheduler, bus } = system;
  if (faults.happens('database unavailable', 0.3))
    random.pick([system.homeDatabase, ...system.shardDatabases]).unavailableUntil =
      scheduler.now + random.between(100, 5_000);
  if (faults.happens('NATS down', 0.3)) bus.downUntil = scheduler.now + random.between(100, 5_000);
  if (faults.happens('presence deleted', 0.3)) {
    const rows = shardRows(random.pick(system.storage.shards.all));
    rows.gateways.clear();
    rows.sessions.clear();
  }
}

function changePresence(system: SimulatedSystem): void {
  const phone = system.random.pick(system.phones);
  if (phone.online) {
    system.faults.count('device went offline');
    phone.goOffline();
  } else if (phone.userId !== null) {
    system.faults.count('device came back');
    phone.goOnline();
  }
}

const behaviors: readonly PhoneBehavior[] = ['answers', 'answers', 'silent', 'late', 'twice'];

function changeBehavior(system: SimulatedSystem): void {
  system.random.pick(system.phones).behavior = system.random.pick(behaviors);
}

/** Logs a user out, or in again, in one commit. Retries if the response is lost. */
function logOutOrIn(system: SimulatedSystem): void {
  const { random, scheduler, faults } = system;
  const phone = random.pick(system.phones);
  if (phone.loginChanging) return;
  const logsOut = phone.userId !== null;
  faults.count(logsOut ? 'device logged out' : 'device logged in again');
  const userId = logsOut ? null : phone.ownerId;
  phone.loginChanging = true;
  scheduler.run(scheduler.createProcess('person'), async () => {
    for (;;) {
      try {
        await phone.logOutOrIn(userId);
        break;
      } catch {
        await scheduler.sleep(300);
      }
    }
    phone.loginChanging = false;
  });
}

function changeCertificate(system: SimulatedSystem): void {
  const [appId, channel] = [system.random.pick(apps), system.random.pick(vendorNames)];
  const exists = homeRows(system.storage.home).certificates.has(`${appId} ${channel}`);
  system.faults.count(exists ? 'certificate removed' : 'certificate added');
  system.setCertificate(appId, channel, !exists);
}

function changeVendor(system: SimulatedSystem): void {
  system.vendors.changeState(system.random.pick(apps), system.random.pick(vendorNames));
}
