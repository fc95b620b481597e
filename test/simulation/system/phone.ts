import { bitsOf, noBits } from '#src/domain/bits.ts';
import type { Vendor } from '#src/domain/channel.ts';
import { domesticVendors } from '#src/domain/channel.ts';
import { shardOfDevice } from '#src/domain/device.ts';
import { reachBit } from '#src/domain/reach.ts';
import { parseReference } from '#src/domain/slice.ts';
import { recordReported } from '#src/receipts/device-receipts.ts';
import type { PlaceRef } from '#src/receipts/receipts.ts';
import type { Shards } from '#src/storage/database/database.ts';
import { markSlices } from '#src/storage/ledger/slices.ts';
import type { Process } from '../environment/scheduler.ts';
import { bindingKey } from '../storage/bindings.ts';
import { inTransaction, storageOf } from '../storage/database.ts';
import { shardRows } from '../storage/rows.ts';
import type { Connection } from './gateway.ts';
import type { World } from './simulated-system.ts';

/** A receipt comes at most so much later than its notification. */
export const LATE_MS_MAX = 20_000;

export type Manner = 'answers' | 'silent' | 'late' | 'twice';

/** A phone: it is somebody's, is online or not, and answers what it gets in its own manner. */
export class Phone {
  readonly name: string;
  readonly appId: string;
  readonly deviceId: bigint;
  readonly shard: number;
  readonly windowMax: number;
  userId: bigint | null;
  generation = 1;
  online = false;
  /** Somebody is logging in or out. */
  changing = false;
  manner: Manner = 'answers';
  readonly tokens = new Map<Vendor, string>();
  readonly #world: World;
  readonly #process: Process;
  #connection: Connection | undefined;
  #connectedAt = 0;
  /** It has not answered something in this connection, so its window may be full. */
  #ignored = false;

  constructor(world: World, appId: string, deviceId: bigint, userId: bigint) {
    this.#world = world;
    this.appId = appId;
    this.deviceId = deviceId;
    this.shard = shardOfDevice(deviceId);
    this.userId = userId;
    this.name = `phone ${deviceId}`;
    this.windowMax = world.random.pick([1, 2, 20]);
    this.#process = world.scheduler.process(this.name);
  }

  get pushToken(): string {
    return `p${this.shard.toString().padStart(2, '0')}${this.deviceId.toString().padStart(16, '0')}g${this.generation}`;
  }

  goOnline(): void {
    this.online = true;
    this.connectLater();
  }

  goOffline(): void {
    this.online = false;
    this.#connection?.gateway.hangUp(this.#connection);
    this.#connection = undefined;
  }

  /** Looks for a gateway again and again while it wants to be connected and is not. */
  connectLater(): void {
    const { scheduler, random } = this.#world;
    scheduler.post(this.#process, random.between(50, 1_500), '', () => {
      if (!this.wantsConnection(this.generation) || this.userId === null) return;
      const ready = this.#world.gateways.filter((gateway) => gateway.ready);
      if (ready.length > 0) random.pick(ready).connect(this);
      this.connectLater();
    });
  }

  wantsConnection(generation: number): boolean {
    const connected = this.#connection?.open && this.#connection.gateway.process.alive;
    return this.online && !connected && generation === this.generation;
  }

  connected(connection: Connection): void {
    this.#connection = connection;
    this.#connectedAt = this.#world.scheduler.now;
    this.#ignored = false;
  }

  /** Since when it has been connected and has answered everything at once. */
  get attentiveSince(): number {
    const open = this.#connection?.open && this.#connection.gateway.process.alive;
    const attentive = open && !this.#ignored && (this.manner === 'answers' || this.manner === 'twice');
    return attentive ? this.#connectedAt : Number.POSITIVE_INFINITY;
  }

  /** A frame has come; the phone answers it, or not. */
  showFromGateway(connection: Connection, packetId: number): void {
    const { scheduler, random, faults } = this.#world;
    const manner = this.manner;
    if (manner === 'silent' || manner === 'late') this.#ignored = true;
    if (manner === 'silent') {
      faults.count('device silent');
      return;
    }
    if (manner === 'late') faults.count('acknowledged late');
    if (manner === 'twice') faults.count('acknowledged twice');
    const ms = manner === 'late' ? random.between(2_000, 9_000) : random.between(1, 60);
    for (let i = 0; i < (manner === 'twice' ? 2 : 1); i++)
      scheduler.post(this.#process, ms, '', () => connection.gateway.acknowledge(connection, packetId));
  }

  /** A vendor has brought a notification; the app reports it with the reference that came along. */
  showFromVendor(reference: string): void {
    const { scheduler, random, faults } = this.#world;
    if (this.manner === 'silent' || this.userId === null) return;
    const late = faults.strikes('receipt late', 0.1);
    const times = faults.strikes('receipt repeated', 0.3) ? 3 : 1;
    const generation = this.generation;
    for (let i = 0; i < times; i++)
      scheduler.post(this.#process, late ? random.between(5_000, LATE_MS_MAX) : random.between(0, 80), '', () =>
        this.#report(reference, generation),
      );
  }

  async #report(reference: string, generation: number): Promise<void> {
    const { truth, oracle, scheduler } = this.#world;
    const { shards } = truth;
    if (generation !== this.generation) return;
    const key = parseReference(reference);
    if (!key) throw new Error('The reference is none of ours.');
    const { appId, deviceId } = this;
    oracle.reporting(key, deviceId);
    for (;;) {
      try {
        const known = await recordReported(
          { shards, receipts: writtenAlone(shards) },
          { appId, deviceId, generation },
          [reference],
        );
        if (known > 0) oracle.reported(key, deviceId);
        return;
      } catch {
        await scheduler.sleep(1_000); // it was told to try again
      }
    }
  }

  /** Somebody else logs in, or nobody: one commit in its shard, and then the phone knows. */
  async changeHands(userId: bigint | null): Promise<void> {
    const { truth, oracle } = this.#world;
    const db = truth.shards.of(this.shard);
    const { deviceId, generation } = this;
    await inTransaction(db, async (tx) => {
      const storage = storageOf(tx);
      const rows = shardRows(tx);
      const device = rows.devices.get(deviceId);
      if (device?.generation !== generation) return; // done by a commit whose answer was lost
      const pushToken = this.pushToken.replace(/g\d+$/, `g${generation + 1}`);
      const forgotten = { reach: 0, latestDomestic: null };
      const next = { ...device, userId, pushToken, generation: generation + 1, ...forgotten };
      storage.put(rows.devices, deviceId, {
        ...next,
        registeredAt: userId === null ? device.registeredAt : storage.now,
      });
      for (const channel of this.tokens.keys()) storage.remove(rows.bindings, bindingKey(deviceId, channel));
      storage.remove(rows.badges, deviceId);
      storage.remove(rows.sessions, deviceId);
      for (const [key, row] of rows.inbox) if (row.deviceId === deviceId) storage.remove(rows.inbox, key);
      oracle.changedHands(this, generation);
    });
    for (const gateway of this.#world.gateways) gateway.revoke(deviceId, generation);
    this.userId = userId;
    this.generation = generation + 1;
    const { online } = this;
    this.goOffline();
    if (userId === null) return;
    if (online) this.goOnline();
    for (const channel of this.tokens.keys()) await this.bind(channel);
  }

  async bind(channel: Vendor): Promise<void> {
    const db = this.#world.truth.shards.of(this.shard);
    const { deviceId, generation } = this;
    await inTransaction(db, async (tx) => {
      const storage = storageOf(tx);
      const { devices, bindings } = shardRows(tx);
      const device = devices.get(deviceId);
      if (device?.generation !== generation) return;
      const domestic = (domesticVendors as readonly Vendor[]).includes(channel);
      const reach = device.reach | reachBit(channel, 1);
      storage.put(devices, deviceId, { ...device, reach, latestDomestic: domestic ? channel : device.latestDomestic });
      const token = this.tokens.get(channel) as string;
      storage.put(bindings, bindingKey(deviceId, channel), { deviceId, channel, environment: 1, token });
    });
  }
}

/** Each receipt in a write of its own, instead of in the windows of an API process that would have to be simulated too. */
const writtenAlone = (shards: Shards) => ({
  recordReceived: ({ place, n, ...key }: PlaceRef) =>
    markSlices(shards.of(key.shard), [{ ...key, sent: noBits(n), received: bitsOf(n, [place]) }]),
});
