import type { VendorName } from '#src/domain/channel.ts';
import { reachBit } from '#src/domain/reach.ts';
import { SHARDS, type Task } from '#src/domain/task.ts';
import type { Log } from '#src/foundation/log.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { HomeDb, ShardDb, Storage } from '#src/storage/database/database.ts';
import { startWorker } from '#src/worker/worker.ts';
import { productRules, type Rules, SimulatedDatabase } from '../environment/database.ts';
import { type Random, randomFrom } from '../environment/random.ts';
import { type Process, Scheduler, START_MS } from '../environment/scheduler.ts';
import { homeRows, shardRows } from '../storage/rows.ts';
import { Api } from './api.ts';
import { Faults } from './faults.ts';
import { Gateway } from './gateway.ts';
import { MessageBus } from './message-bus.ts';
import { Oracle } from './oracle.ts';
import { Phone } from './phone.ts';
import { settings } from './settings.ts';
import { Vendors } from './vendors.ts';

/** Rules that a test breaks to check that the oracle detects the violation. */
export interface Breakage {
  readonly rules?: Partial<Rules>;
  readonly respondsBeforeCommit?: boolean;
  /** Neither workers nor databases fail. */
  readonly calm?: boolean;
}

export const apps = ['app-a', 'app-b'] as const;
export const vendorNames = ['apns', 'fcm', 'huawei', 'xiaomi'] as const satisfies VendorName[];

/** All parts of a simulation: three databases, a message bus, vendors, workers, gateways, an API and phones. */
export class SimulatedSystem {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly oracle: Oracle;
  readonly bus: MessageBus;
  readonly vendors: Vendors;
  readonly storage: Storage;
  readonly shardDatabases: readonly [SimulatedDatabase, SimulatedDatabase];
  readonly homeDatabase: SimulatedDatabase;
  readonly phones: Phone[] = [];
  readonly gateways: Gateway[] = [];
  readonly workers: Process[] = [];
  readonly api: Api;
  readonly log: Log;
  readonly breakage: Breakage;
  /** The time at which all faults and pauses have ended. */
  faultsEndedAt = Number.POSITIVE_INFINITY;
  #names = 0;
  #instants = 0;

  constructor(seed: number, breakage: Breakage = {}) {
    this.breakage = breakage;
    this.random = randomFrom(seed);
    this.scheduler = new Scheduler(this.random);
    this.faults = new Faults(this.random, breakage.calm ?? false);
    this.oracle = new Oracle(this);
    this.bus = new MessageBus(this);
    this.vendors = new Vendors(this);
    const hooks = {
      beforeCommit: (_: SimulatedDatabase, by: Process) => this.#mayFail(by, 'statement failed'),
      afterCommit: (_: SimulatedDatabase, by: Process) => this.#mayFail(by, 'commit response lost'),
      finished: (taskIds: readonly bigint[]) => this.oracle.finished(taskIds),
      unanswered: (by: Process) => this.oracle.lostWrite(by),
      committed: this.oracle.committed.bind(this.oracle),
      acknowledged: this.oracle.acknowledged.bind(this.oracle),
    } as const;
    const rules: Rules = { ...productRules, ...breakage.rules };
    this.homeDatabase = new SimulatedDatabase('home', this.scheduler, hooks, rules);
    this.shardDatabases = [
      new SimulatedDatabase('low', this.scheduler, hooks, rules),
      new SimulatedDatabase('high', this.scheduler, hooks, rules),
    ];
    const handle = (kind: string, database: SimulatedDatabase) => ({ kind, database, inTransaction: false });
    const shards = this.shardDatabases.map((database) => handle('shards', database) as unknown as ShardDb);
    this.storage = {
      home: handle('home', this.homeDatabase) as unknown as HomeDb,
      shards: { all: shards, dbFor: (shard) => shards[shard < SHARDS / 2 ? 0 : 1] as ShardDb },
      close: async () => undefined,
    };
    const note = (event: string, fields?: object) => this.scheduler.note(`${event} ${describe(fields)}`);
    this.log = { debug: () => undefined, info: note, warn: note, error: note } as unknown as Log;
    this.api = new Api(this);
  }

  databaseOf(shard: number): SimulatedDatabase {
    return this.shardDatabases[shard < SHARDS / 2 ? 0 : 1];
  }

  startWorker(): void {
    const process = this.scheduler.createProcess(`worker ${++this.#names}`);
    this.workers.push(process);
    this.scheduler.run(process, () =>
      startWorker({
        settings: settings as never,
        storage: this.storage,
        signals: this.bus.connection(),
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
    const rows = shardRows(this.storage.shards.dbFor(phone.shard));
    for (const channel of vendorNames.filter(() => this.random.chance(0.4))) {
      const token = `${deviceId} ${channel}`;
      phone.tokens.set(channel, token);
      this.vendors.register(token, phone);
      rows.bindings.set(`${deviceId}.${channel}`, { deviceId, channel, environment: 1, token });
      reach |= reachBit(channel, 1);
    }
    const { shard, generation, pushToken } = phone;
    const registeredAt = START_MS - 1_000;
    const row = { appId, shard, deviceId, userId, generation, pushToken, reach, latestDomestic: null, registeredAt };
    rows.devices.set(deviceId, row);
  }

  setCertificate(appId: string, channel: VendorName, exists: boolean): void {
    const table = homeRows(this.storage.home).certificates;
    if (exists) table.set(`${appId} ${channel}`, { appId, channel, environment: 1, version: 1 });
    else table.delete(`${appId} ${channel}`);
  }

  /** Returns whether a task currently targets this phone. */
  isTargeted({ appId, audience }: Task, phone: Phone): boolean {
    if (phone.appId !== appId || phone.userId === null) return false;
    if (audience.kind === 'user_id') return audience.userIds.includes(phone.userId);
    return audience.kind === 'all' || (audience.kind === 'push_token' && audience.pushTokens.includes(phone.pushToken));
  }

  /** Returns the current time, with a counter that makes it unique within its millisecond. */
  nextInstant(): string {
    return `${this.scheduler.now} ${(++this.#instants).toString().padStart(9, '0')}`;
  }

  #mayFail(by: Process, name: 'statement failed' | 'commit response lost'): void {
    if (!this.faults.happens(name, 0.004)) return;
    this.oracle.lostWrite(by);
    this.scheduler.note(`${by.name}: ${name}`);
    throw new Unavailable(name);
  }
}

const describe = (fields: object | undefined): string =>
  Object.entries(fields ?? {})
    .map(([name, value]) => `${name}=${value instanceof Error ? value.message : String(value)}`)
    .join(' ');
