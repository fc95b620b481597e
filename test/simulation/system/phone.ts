import { bitsOf, noBits } from '#src/domain/bits.ts';
import type { VendorName } from '#src/domain/channel.ts';
import { domesticVendors } from '#src/domain/channel.ts';
import { bucketOfDevice, pushTokenOf } from '#src/domain/device.ts';
import { reachBit } from '#src/domain/reach.ts';
import { parseReference } from '#src/domain/slice.ts';
import { recordDeviceReceipts } from '#src/receipts/device-receipts.ts';
import type { PlaceRef } from '#src/receipts/receipts.ts';
import type { Shards } from '#src/storage/database/database.ts';
import { markSlices } from '#src/storage/ledger/mark-slices.ts';
import { addDeviceBucket } from '#src/storage/users/device-buckets.ts';
import type { Process } from '../environment/scheduler.ts';
import { bindingKey } from '../storage/bindings.ts';
import { inTransaction, simulatedDatabaseOf } from '../storage/database.ts';
import { shardRows } from '../storage/rows.ts';
import type { Connection } from './gateway.ts';
import type { SimulatedSystem } from './simulated-system.ts';

/** Maximum time between a notification and its receipt. */
export const LATE_MS_MAX = 20_000;

export type PhoneBehavior = 'answers' | 'silent' | 'late' | 'twice';

/**
 * A simulated phone. It has an owner, is online or offline, and acknowledges notifications according to its behavior.
 */
export class Phone {
  readonly name: string;
  readonly appId: string;
  readonly deviceId: bigint;
  readonly bucket: number;
  readonly windowMax: number;
  /** The user who logs in on this phone. */
  readonly ownerId: bigint;
  /** The owner, or null after a logout. */
  userId: bigint | null;
  generation = 1;
  online = false;
  /** A login or logout is in progress. */
  loginChanging = false;
  behavior: PhoneBehavior = 'answers';
  readonly tokens = new Map<VendorName, string>();
  readonly #system: SimulatedSystem;
  readonly #process: Process;
  #connection: Connection | undefined;
  #connectedAt = 0;
  /** True if a notification on this connection is not acknowledged, so that the window may be full. */
  #hasUnacknowledged = false;

  constructor(system: SimulatedSystem, appId: string, deviceId: bigint, userId: bigint) {
    this.#system = system;
    this.appId = appId;
    this.deviceId = deviceId;
    this.bucket = bucketOfDevice(deviceId);
    this.ownerId = userId;
    this.userId = userId;
    this.name = `phone ${deviceId}`;
    this.windowMax = system.random.pick([1, 2, 20]);
    this.#process = system.scheduler.createProcess(this.name);
  }

  get pushToken(): string {
    return pushTokenOf(this.bucket, `${this.deviceId.toString().padStart(16, '0')}g${this.generation}`);
  }

  goOnline(): void {
    this.online = true;
    this.connectLater();
  }

  goOffline(): void {
    this.online = false;
    this.#connection?.gateway.disconnect(this.#connection);
    this.#connection = undefined;
  }

  /** Tries to reach a gateway repeatedly while the phone is online and not connected. */
  connectLater(): void {
    const { scheduler, random } = this.#system;
    scheduler.post(this.#process, random.between(50, 1_500), '', () => {
      if (!this.wantsConnection(this.generation) || this.userId === null) return;
      const ready = this.#system.gateways.filter((gateway) => gateway.ready);
      if (ready.length > 0) random.pick(ready).connect(this);
      this.connectLater();
    });
  }

  wantsConnection(generation: number): boolean {
    const connected = this.#connection?.isOpen && this.#connection.gateway.process.alive;
    return this.online && !connected && generation === this.generation;
  }

  connected(connection: Connection): void {
    this.#connection = connection;
    this.#connectedAt = this.#system.scheduler.now;
    this.#hasUnacknowledged = false;
  }

  /**
   * Returns the time at which the phone connected if it is connected and acknowledges everything immediately, or
   * infinity otherwise.
   */
  get responsiveSince(): number {
    const open = this.#connection?.isOpen && this.#connection.gateway.process.alive;
    const attentive = open && !this.#hasUnacknowledged && (this.behavior === 'answers' || this.behavior === 'twice');
    return attentive ? this.#connectedAt : Number.POSITIVE_INFINITY;
  }

  /** Receives a frame and, depending on the phone's behavior, acknowledges it. */
  showFromGateway(connection: Connection, packetId: number): void {
    const { scheduler, random, faults } = this.#system;
    const { behavior } = this;
    if (behavior === 'silent' || behavior === 'late') this.#hasUnacknowledged = true;
    if (behavior === 'silent') {
      faults.count('device silent');
      return;
    }
    if (behavior === 'late') faults.count('acknowledged late');
    if (behavior === 'twice') faults.count('acknowledged twice');
    const ms = behavior === 'late' ? random.between(2_000, 9_000) : random.between(1, 60);
    for (let i = 0; i < (behavior === 'twice' ? 2 : 1); i++)
      scheduler.post(this.#process, ms, '', () => connection.gateway.acknowledge(connection, packetId));
  }

  /** Receives a notification from a vendor. The app sends a receipt with the reference from the notification. */
  showFromVendor(reference: string): void {
    const { scheduler, random, faults } = this.#system;
    if (this.behavior === 'silent' || this.userId === null) return;
    const late = faults.happens('receipt late', 0.1);
    const times = faults.happens('receipt repeated', 0.3) ? 3 : 1;
    const generation = this.generation;
    for (let i = 0; i < times; i++)
      scheduler.post(this.#process, late ? random.between(5_000, LATE_MS_MAX) : random.between(0, 80), '', () =>
        this.#report(reference, generation, random.chance(0.3)),
      );
  }

  async #report(reference: string, generation: number, isClick: boolean): Promise<void> {
    const { storage, oracle, scheduler } = this.#system;
    const { shards } = storage;
    if (generation !== this.generation) return;
    const key = parseReference(reference);
    if (!key) throw new Error('The reference is invalid.');
    const { appId, deviceId } = this;
    oracle.reporting(key, deviceId);
    for (;;) {
      try {
        const recordedCount = await recordDeviceReceipts(
          { shards, receipts: unbatchedReceipts(shards) },
          { appId, deviceId, generation },
          [reference],
          { isClick },
        );
        if (recordedCount > 0) oracle.reported(key, deviceId);
        return;
      } catch {
        await scheduler.sleep(1_000); // the phone retries after an error
      }
    }
  }

  /**
   * Logs the user out or in again, in one commit in the phone's bucket. The phone gets the result afterwards. As in
   * `src/api/logins/login.ts`, a login is registered with the time at which it began.
   */
  async logOutOrIn(userId: bigint | null): Promise<void> {
    const { storage, oracle, scheduler } = this.#system;
    const db = storage.shards.dbFor(this.bucket);
    const { appId, deviceId, generation } = this;
    const beganAt = scheduler.now;
    if (userId !== null) await addDeviceBucket(storage.home, { appId, userId }, this.bucket);
    await inTransaction(db, async (tx) => {
      const database = simulatedDatabaseOf(tx);
      const rows = shardRows(tx);
      const device = rows.devices.get(deviceId);
      if (device?.generation !== generation) return; // already done by a commit whose response was lost
      const pushToken = this.pushToken.replace(/g\d+$/, `g${generation + 1}`);
      const forgotten = { reach: 0, latestDomestic: null };
      const next = { ...device, userId, pushToken, generation: generation + 1, ...forgotten };
      database.put(rows.devices, deviceId, {
        ...next,
        registeredAt: userId === null ? device.registeredAt : beganAt,
      });
      for (const channel of this.tokens.keys()) database.remove(rows.bindings, bindingKey(deviceId, channel));
      database.remove(rows.badges, deviceId);
      database.remove(rows.sessions, deviceId);
      for (const [key, row] of rows.inbox) if (row.deviceId === deviceId) database.remove(rows.inbox, key);
      oracle.loginEnded(this, generation);
    });
    for (const gateway of this.#system.gateways) gateway.revoke(deviceId, generation);
    this.userId = userId;
    this.generation = generation + 1;
    const { online } = this;
    this.goOffline();
    if (userId === null) return;
    if (online) this.goOnline();
    for (const channel of this.tokens.keys()) await this.bind(channel);
  }

  async bind(channel: VendorName): Promise<void> {
    const db = this.#system.storage.shards.dbFor(this.bucket);
    const { deviceId, generation } = this;
    await inTransaction(db, async (tx) => {
      const database = simulatedDatabaseOf(tx);
      const { devices, bindings } = shardRows(tx);
      const device = devices.get(deviceId);
      if (device?.generation !== generation) return;
      const domestic = (domesticVendors as readonly VendorName[]).includes(channel);
      const reach = device.reach | reachBit(channel, 1);
      database.put(devices, deviceId, { ...device, reach, latestDomestic: domestic ? channel : device.latestDomestic });
      const token = this.tokens.get(channel) as string;
      database.put(bindings, bindingKey(deviceId, channel), { deviceId, channel, environment: 1, token });
    });
  }
}

/** Writes each receipt separately, because the batches of an API process are not simulated. */
const unbatchedReceipts = (shards: Shards) => ({
  recordReceived: async (
    { index, placeCount, ...key }: PlaceRef,
    _channel: unknown,
    { isClick = false }: { isClick?: boolean } = {},
  ) => {
    const bits = bitsOf(placeCount, [index]);
    const marks = [{ ...key, sent: noBits(placeCount), received: bits, clicked: isClick ? bits : undefined }];
    while ((await markSlices(shards.dbFor(key.bucket), marks)).length > 0);
  },
});
