import { BUCKETS, type BucketRange } from '#src/domain/bucket.ts';
import type { VendorName } from '#src/domain/channel.ts';
import { reachBit } from '#src/domain/reach.ts';
import type { Task } from '#src/domain/task.ts';
import type { Log } from '#src/foundation/log.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { divideBuckets } from '#src/storage/database/bucket-map.ts';
import type { HomeDb, ShardDb, Storage } from '#src/storage/database/database.ts';
import { startWorker } from '#src/worker/worker.ts';
import { productRules, type Rules, SimulatedDatabase } from '../environment/database.ts';
import { type Random, randomFrom } from '../environment/random.ts';
import { type Process, Scheduler, START_MS } from '../environment/scheduler.ts';
import { homeRows, shardRows } from '../storage/rows.ts';
import { Api } from './api.ts';
import { type EffectName, Faults } from './faults.ts';
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
  /** Neither workers nor databases fail or are slow. */
  readonly calm?: boolean;
}

export const apps = ['app-a', 'app-b'] as const;
export const vendorNames = ['apns', 'fcm', 'huawei', 'xiaomi'] as const satisfies VendorName[];

/**
 * The number of databases, including the home database. With one database, the home database also has the devices. By
 * default the seed decides.
 */
const TEST_DATABASES = process.env.CARILLON_TEST_DATABASES;
const databaseCounts = [1, 3, 3, 7] as const;

/** All parts of a simulation: databases, a message bus, vendors, workers, gateways, an API and phones. */
export class SimulatedSystem {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly oracle: Oracle;
  readonly bus: MessageBus;
  readonly vendors: Vendors;
  readonly storage: Storage;
  readonly shardDatabases: readonly SimulatedDatabase[];
  readonly homeDatabase: SimulatedDatabase;
  readonly phones: Phone[] = [];
  readonly gateways: Gateway[] = [];
  readonly workers: Process[] = [];
  readonly api: Api;
  readonly log: Log;
  readonly breakage: Breakage;
  /** The time at which all faults and pauses have ended. */
  faultsEndedAt = Number.POSITIVE_INFINITY;
  /** The ranges of buckets, in order. */
  readonly #ranges: readonly BucketRange[];
  #names = 0;
  #instants = 0;

  constructor(seed: number, breakage: Breakage = {}) {
    this.breakage = breakage;
    this.random = randomFrom(seed);
    this.scheduler = new Scheduler(this.random);
    this.scheduler.hasSlowSteps = !breakage.calm;
    this.faults = new Faults(this.random, breakage.calm ?? false);
    this.oracle = new Oracle(this);
    this.bus = new MessageBus(this);
    this.vendors = new Vendors(this);
    const hooks = {
      beforeCommit: (_: SimulatedDatabase, by: Process) => {
        this.#mayFail(by, 'statement failed');
        this.#mayReject(by);
      },
      afterCommit: (_: SimulatedDatabase, by: Process) => this.#mayFail(by, 'commit response lost'),
      finished: (taskIds: readonly bigint[]) => this.oracle.finished(taskIds),
      cancelled: (db: ShardDb, taskId: bigint) => this.oracle.cancelled(db, taskId),
      observed: (effect: EffectName) => this.faults.count(`(${effect})`),
      unanswered: (by: Process) => this.oracle.lostWrite(by),
      committed: this.oracle.committed.bind(this.oracle),
      acknowledged: this.oracle.acknowledged.bind(this.oracle),
    } as const;
    const rules: Rules = { ...productRules, ...breakage.rules };
    this.homeDatabase = new SimulatedDatabase('home', this.scheduler, hooks, rules);
    const count = TEST_DATABASES === undefined ? this.random.pick(databaseCounts) : Number(TEST_DATABASES);
    this.shardDatabases =
      count === 1
        ? [this.homeDatabase]
        : Array.from(
            { length: count - 1 },
            (_, i) => new SimulatedDatabase(`shard ${i + 1}`, this.scheduler, hooks, rules),
          );
    // After buckets were moved, a database can have several ranges.
    const rangesPerDatabase = this.random.between(1, 2);
    this.#ranges = divideBuckets(
      { firstBucket: 0, lastBucket: BUCKETS - 1 },
      this.shardDatabases.length * rangesPerDatabase,
    );
    const handle = (kind: string, database: SimulatedDatabase) => ({
      ...{ kind, database, inTransaction: false },
      get isAvailable() {
        return database.unavailableUntil <= database.now;
      },
      get isSilent() {
        return database.unavailableUntil > database.now;
      },
    });
    const shards = this.shardDatabases.map((database) => handle('shards', database) as unknown as ShardDb);
    this.storage = {
      home: handle('home', this.homeDatabase) as unknown as HomeDb,
      shards: {
        all: shards,
        dbFor: (bucket) => shards[this.#databaseIndex(bucket)] as ShardDb,
        nameOf: (db) => `shard-${shards.indexOf(db)}`,
        rangesOf: (db) => this.#ranges.filter(({ firstBucket }) => shards[this.#databaseIndex(firstBucket)] === db),
      },
      refreshBucketMap: async () => undefined,
      openSeparately: () => this.storage,
      close: async () => undefined,
    };
    const note = (event: string, fields?: object) => this.scheduler.note(`${event} ${describe(fields)}`);
    this.log = {
      debug: () => undefined,
      info: note,
      warn: note,
      error: note,
      security: () => undefined,
    } as unknown as Log;
    this.api = new Api(this);
  }

  databaseOf(bucket: number): SimulatedDatabase {
    return this.shardDatabases[this.#databaseIndex(bucket)] as SimulatedDatabase;
  }

  /** Returns the index of the database with a bucket. The ranges of buckets are assigned to the databases in turn. */
  #databaseIndex(bucket: number): number {
    const range = this.#ranges.findIndex(({ lastBucket }) => bucket <= lastBucket);
    return range % this.shardDatabases.length;
  }

  startWorker(): void {
    const process = this.scheduler.createProcess(`worker ${++this.#names}`);
    this.workers.push(process);
    this.scheduler.run(process, () =>
      startWorker({
        settings: settings as never,
        storage: this.storage,
        signals: this.bus.connection(),
        keyrings: {} as never,
        log: this.log,
      }),
    );
  }

  startGateway(): void {
    this.gateways.push(new Gateway(this, `gateway ${++this.#names}`));
  }

  addPhone(appId: string, userId: bigint): void {
    const deviceId = BigInt(this.phones.length + 1) * BigInt(BUCKETS) + BigInt(this.random.below(BUCKETS));
    const phone = new Phone(this, appId, deviceId, userId);
    this.phones.push(phone);
    let reach = 0;
    const rows = shardRows(this.storage.shards.dbFor(phone.bucket));
    for (const channel of vendorNames.filter(() => this.random.chance(0.4))) {
      const token = `${deviceId} ${channel}`;
      phone.tokens.set(channel, token);
      this.vendors.register(token, phone);
      rows.bindings.set(`${deviceId}.${channel}`, { deviceId, channel, environment: 1, token });
      reach |= reachBit(channel, 1);
    }
    const { bucket, generation, pushToken } = phone;
    const registeredAt = START_MS - 1_000;
    const row = { appId, bucket, deviceId, userId, generation, pushToken, reach, latestDomestic: null, registeredAt };
    rows.devices.set(deviceId, row);
    const { deviceBuckets } = homeRows(this.storage.home);
    deviceBuckets.set(`${appId} ${userId}`, [...(deviceBuckets.get(`${appId} ${userId}`) ?? []), bucket]);
  }

  /** Adds the users 1 to `size` to the group of an app. */
  fillGroup(appId: string, size: number): void {
    const userIds = Array.from({ length: size }, (_, i) => BigInt(i + 1));
    homeRows(this.storage.home).members.set(appId, userIds);
  }

  setCertificate(appId: string, channel: VendorName, exists: boolean): void {
    const table = homeRows(this.storage.home).certificates;
    if (exists) table.set(`${appId} ${channel}`, { appId, channel, environment: 1, version: 1 });
    else table.delete(`${appId} ${channel}`);
  }

  /** Returns whether a task currently targets this phone. */
  isTargeted({ appId, audience, groupId }: Task, phone: Phone): boolean {
    if (phone.appId !== appId || phone.userId === null) return false;
    if (groupId !== null && !homeRows(this.storage.home).members.get(appId)?.includes(phone.userId)) return false;
    if (audience.kind === 'user_id') return audience.userIds.includes(phone.userId);
    return audience.kind === 'all' || (audience.kind === 'push_token' && audience.pushTokens.includes(phone.pushToken));
  }

  /** Returns the current time, with a counter that makes it unique within its millisecond. */
  nextInstant(): string {
    return `${this.scheduler.now} ${(++this.#instants).toString().padStart(9, '0')}`;
  }

  /** Fails the statement of a worker for a reason that another statement would not fail for. */
  #mayReject(by: Process): void {
    if (!this.workers.includes(by) || !this.faults.happens('statement rejected', 0.004)) return;
    this.oracle.lostWrite(by);
    this.scheduler.note(`${by.name}: statement rejected`);
    throw new Error('statement rejected');
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
