import type { Vendor } from '#src/domain/channel.ts';
import { shardOfDevice } from '#src/domain/device.ts';
import { openReference } from '#src/domain/reference.ts';
import type { SliceKey } from '#src/domain/slice.ts';
import { Batch } from '#src/foundation/batch.ts';
import { byDatabase, type ShardDb, type Truth } from '#src/storage/database/database.ts';
import { endBindings, hashVendorToken } from '#src/storage/devices/bindings.ts';
import { type DeviceInSlice, findTokenOwners, findVendorPlaces } from '#src/storage/ledger/vendor-places.ts';
import type { Receipts } from './receipts.ts';
import { DoubtedReceipts, type ToldToken } from './suspect-tokens.ts';

/** What a vendor tells of one notification. */
export interface Told extends ToldToken {
  readonly token: string;
  readonly reference: string;
  /** In its own words. */
  readonly code: string;
  readonly at: Date;
}

/** A token that a receipt calls dead, and whose it is. */
export interface DeadByReceipt {
  readonly deviceId: bigint;
  readonly tokenHash: Buffer;
  readonly told: Told;
}

/** A receipt with a reference of ours, and the slice that this names. */
interface Known extends SliceKey {
  readonly tokenHash: Buffer;
  readonly told: Told;
}

/** One that counts: the device is in that slice, and the vendor was asked to serve it. */
interface Counted extends Known {
  readonly deviceId: bigint;
}

/** Of whom a vendor tells. */
interface Account {
  readonly appId: string;
  readonly channel: Vendor;
}

/** How many receipts are looked up at once. */
const LOOKED_UP_MAX = 2_000;
/** Above this, of one account and database, whoever tells more shall tell it again later. */
const WAITING_MAX = 50_000;
const BATCHES_MAX = 10_000;

/**
 * Records what vendors' callbacks say. Nothing counts but a reference of ours, for a device that is in that slice and
 * that the vendor was asked to serve; told twice it counts once.
 */
export class ToldReceipts {
  readonly #truth: Truth;
  readonly #receipts: Pick<Receipts, 'recordReceived'>;
  readonly #doubts = new DoubtedReceipts<DeadByReceipt>();
  /**
   * What is told at the same time is looked up together: some vendors make a call for each phone. By account, so that
   * each has its own bound, and by the slices' database, so that one that is away delays no other.
   */
  readonly #batches = new Map<string, Batch<Known, Counted | undefined>>();

  constructor(truth: Truth, receipts: Pick<Receipts, 'recordReceived'>) {
    this.#truth = truth;
    this.#receipts = receipts;
  }

  /** Resolves when it is committed. Answers whether so many tokens are said to be dead that none of them is believed. */
  async record(
    account: Account & { readonly referenceKey: string },
    told: readonly Told[],
  ): Promise<{ readonly isSuspicious: boolean }> {
    const known = told.flatMap((one) => {
      const slice = openReference(one.reference, account.referenceKey);
      return slice ? [{ ...slice, tokenHash: hashVendorToken(one.token), told: one }] : [];
    });
    const found = await Promise.all(known.map((one) => this.#batchOf(account, one.shard).add(one)));
    const counted = distinct(found.filter((one) => one !== undefined));
    if (counted.length === 0) return { isSuspicious: false };
    const { dead, isSuspicious } = this.#doubts.weigh(
      account,
      counted.map((one) => ({ who: one, told: one.told })),
    );
    await endDead(this.#truth, account, dead);
    return { isSuspicious };
  }

  #batchOf({ appId, channel }: Account, shard: number): Batch<Known, Counted | undefined> {
    const { shards } = this.#truth;
    const db = shards.of(shard);
    const name = JSON.stringify([appId, channel, shards.all.indexOf(db)]);
    let batch = this.#batches.get(name);
    if (!batch) {
      const run = (known: readonly Known[]) => this.#lookUp(db, { appId, channel }, known);
      batch = new Batch({ sizeMax: LOOKED_UP_MAX, queueMax: WAITING_MAX, run });
      this.#batches.set(name, batch);
      // Whoever waits in it is answered all the same.
      if (this.#batches.size > BATCHES_MAX) this.#batches.delete(this.#batches.keys().next().value as string);
    }
    return batch;
  }

  /** Which of them count. What has arrived is committed by then. */
  async #lookUp(db: ShardDb, account: Account, known: readonly Known[]): Promise<(Counted | undefined)[]> {
    const hashes = known.map(({ tokenHash }) => tokenHash);
    const owners = await findTokenOwners(this.#truth.home, account, hashes);
    const owned = known.map((one): Counted | undefined => {
      const deviceId = owners.get(one.tokenHash.toString('hex'));
      return deviceId === undefined ? undefined : { ...one, deviceId };
    });
    const byPlace = Map.groupBy(
      owned.filter((one) => one !== undefined),
      placeText,
    );
    // Told a thousand times it is asked about once.
    const asked = [...byPlace.values()].flatMap((copies) => copies.slice(0, 1));
    const places = asked.length > 0 ? await findVendorPlaces(db, account, asked) : [];
    const arrived = places.filter((place) =>
      byPlace.get(placeText(place))?.some(({ told }) => told.kind === 'delivered'),
    );
    await Promise.all(arrived.map((place) => this.#receipts.recordReceived(place, account.channel)));
    const counting = new Set(places.map(placeText));
    return owned.map((one) => (one && counting.has(placeText(one)) ? one : undefined));
  }
}

const placeText = ({ taskId, shard, slice, deviceId }: DeviceInSlice): string =>
  `${taskId}.${shard}.${slice} ${deviceId}`;

/** One of each kind for each place: copies say nothing more. */
const distinct = (counted: readonly Counted[]): Counted[] => [
  ...new Map(counted.map((one) => [`${one.told.kind} ${placeText(one)}`, one])).values(),
];

/** Only bindings that are older than what the vendor says. */
async function endDead({ shards }: Truth, { appId, channel }: Account, dead: readonly DeadByReceipt[]): Promise<void> {
  const ended = dead.map(({ deviceId, tokenHash, told }) => ({
    appId,
    shard: shardOfDevice(deviceId),
    deviceId,
    channel,
    tokenHash,
    since: told.at,
    why: `receipt ${told.code}`,
  }));
  await Promise.all([...byDatabase(shards, ended, ({ shard }) => shard)].map(([db, group]) => endBindings(db, group)));
}
