import type { Vendor } from '#src/domain/channel.ts';
import { reachBit } from '#src/domain/reach.ts';
import { SHARDS, type Task } from '#src/domain/task.ts';
import type { Log } from '#src/foundation/log.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { HomeDb, ShardDb, Truth } from '#src/storage/database/database.ts';
import { startWorker } from '#src/worker/worker.ts';
import { productRules, type Rules, Storage } from '../environment/database.ts';
import { type Random, randomFrom } from '../environment/random.ts';
import { BEGINNING, type Process, Scheduler } from '../environment/scheduler.ts';
import { homeRows, shardRows } from '../storage/rows.ts';
import { Api } from './api.ts';
import { Faults } from './faults.ts';
import { Gateway } from './gateway.ts';
import { Bus } from './message-bus.ts';
import { Oracle } from './oracle.ts';
import { Phone } from './phone.ts';
import { settings } from './settings.ts';
import { Vendors } from './vendors.ts';

/** What a test breaks to see whether the oracle notices. */
export interface Breakage {
  readonly rules?: Partial<Rules>;
  readonly answersBeforeCommit?: boolean;
  /** Neither workers nor databases fail. */
  readonly calm?: boolean;
}

export const apps = ['app-a', 'app-b'] as const;
export const vendorNames = ['apns', 'fcm', 'huawei', 'xiaomi'] as const satisfies Vendor[];

/** Everything there is in one simulation: three databases, a bus, vendors, workers, gateways, an api and phones. */
export class World {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly oracle: Oracle;
  readonly bus: Bus;
  readonly vendors: Vendors;
  readonly truth: Truth;
  readonly storages: readonly [Storage, Storage];
  readonly home: Storage;
  readonly phones: Phone[] = [];
  readonly gateways: Gateway[] = [];
  readonly workers: Process[] = [];
  readonly api: Api;
  readonly log: Log;
  readonly breakage: Breakage;
  /** When nothing went wrong any more, and nobody stood still. */
  healedAt = Number.POSITIVE_INFINITY;
  #names = 0;
  #instants = 0;

  constructor(seed: number, breakage: Breakage = {}) {
    this.breakage = breakage;
    this.random = randomFrom(seed);
    this.scheduler = new Scheduler(this.random);
    this.faults = new Faults(this.random, breakage.calm ?? false);
    this.oracle = new Oracle(this);
    this.bus = new Bus(this);
    this.vendors = new Vendors(this);
    const hooks = {
      beforeCommit: (_: Storage, by: Process) => this.#mayFail(by, 'statement failed'),
      afterCommit: (_: Storage, by: Process) => this.#mayFail(by, "commit's answer lost"),
      finished: (taskIds: readonly bigint[]) => this.oracle.finished(taskIds),
      unanswered: (by: Process) => this.oracle.lostWrite(by),
      committed: this.oracle.committed.bind(this.oracle),
      heard: this.oracle.heard.bind(this.oracle),
    } as const;
    const rules: Rules = { ...productRules, ...breakage.rules };
    this.home = new Storage('home', this.scheduler, hooks, rules);
    this.storages = [
      new Storage('low', this.scheduler, hooks, rules),
      new Storage('high', this.scheduler, hooks, rules),
    ];
    const handle = (holds: string, storage: Storage) => ({ holds, storage, inTransaction: false });
    const shards = this.storages.map((storage) => handle('shards', storage) as unknown as ShardDb);
    this.truth = {
      home: handle('home', this.home) as unknown as HomeDb,
      shards: { all: shards, of: (shard) => shards[shard < SHARDS / 2 ? 0 : 1] as ShardDb },
      close: async () => undefined,
    };
    const note = (event: string, fields?: object) => this.scheduler.note(`${event} ${describe(fields)}`);
    this.log = { debug: () => undefined, info: note, warn: note, error: note } as unknown as Log;
    this.api = new Api(this);
  }

  storageOf(shard: number): Storage {
    return this.storages[shard < SHARDS / 2 ? 0 : 1];
  }

  startWorker(): void {
    const process = this.scheduler.process(`worker ${++this.#names}`);
    this.workers.push(process);
    this.scheduler.run(process, () =>
      startWorker({
        settings: settings as never,
        truth: this.truth,
        motion: this.bus.connection(),
        keyring: undefined as never,
        log: this.log,
      }),
    );
  }

  startGateway(): void {
    this.gateways.push(new Gateway(this, `gateway ${++this.#names}`));
  }

  addPhone(appId: string, userId: bigint): void {
    const deviceId = BigInt(this.phones.length + 1) * BigInt(SHARDS) + BigInt(this.random.below(SHARDS));
    const phone = new Phone(this, appId, deviceId, userId);
    this.phones.push(phone);
    let reach = 0;
    const rows = shardRows(this.truth.shards.of(phone.shard));
    for (const channel of vendorNames.filter(() => this.random.chance(0.4))) {
      const token = `${deviceId} ${channel}`;
      phone.tokens.set(channel, token);
      this.vendors.register(token, phone);
      rows.bindings.set(`${deviceId}.${channel}`, { deviceId, channel, environment: 1, token });
      reach |= reachBit(channel, 1);
    }
    const { shard, generation, pushToken } = phone;
    const registeredAt = BEGINNING - 1_000;
    const row = { appId, shard, deviceId, userId, generation, pushToken, reach, latestDomestic: null, registeredAt };
    rows.devices.set(deviceId, row);
  }

  setCertificate(appId: string, channel: Vendor, there: boolean): void {
    const table = homeRows(this.truth.home).certificates;
    if (there) table.set(`${appId} ${channel}`, { appId, channel, environment: 1, version: 1 });
    else table.delete(`${appId} ${channel}`);
  }

  /** Whether a task is for this phone, as it is now. */
  isMeant({ appId, audience }: Task, phone: Phone): boolean {
    if (phone.appId !== appId || phone.userId === null) return false;
    if (audience.kind === 'user_id') return audience.userIds.includes(phone.userId);
    return audience.kind === 'all' || (audience.kind === 'push_token' && audience.pushTokens.includes(phone.pushToken));
  }

  /** When something happened, told apart from everything else of the same millisecond. */
  nextInstant(): string {
    return `${this.scheduler.now} ${(++this.#instants).toString().padStart(9, '0')}`;
  }

  #mayFail(by: Process, name: 'statement failed' | "commit's answer lost"): void {
    if (!this.faults.strikes(name, 0.004)) return;
    this.oracle.lostWrite(by);
    this.scheduler.note(`${by.name}: ${name}`);
    throw new Unavailable(name);
  }
}

const describe = (fields: object | undefined): string =>
  Object.entries(fields ?? {})
    .map(([name, value]) => `${name}=${value instanceof Error ? value.message : String(value)}`)
    .join(' ');
