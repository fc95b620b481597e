import type { VendorName } from '#src/domain/channel.ts';
import { bucketOfDevice } from '#src/domain/device.ts';
import { verifyReference } from '#src/domain/reference.ts';
import type { SliceKey } from '#src/domain/slice.ts';
import { groupByDay } from '#src/domain/task.ts';
import { Batch } from '#src/foundation/batch.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';
import { LazyMap } from '#src/foundation/lazy-map.ts';
import { byDatabase, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import { endBindings, hashVendorToken } from '#src/storage/devices/bindings.ts';
import { findDevices } from '#src/storage/devices/devices.ts';
import { type DeviceInSlice, findVendorPlaces, findVendorTokenOwners } from '#src/storage/ledger/vendor-places.ts';
import type { Receipts } from './receipts.ts';
import { isSuspectStatus, type ReceiptStatus, ReceiptSuspectTokens } from './suspect-tokens.ts';

/** A vendor's receipt for one notification. */
export interface VendorReceipt extends ReceiptStatus {
  readonly token: string;
  readonly reference: string;
  /** The vendor's own status code. */
  readonly code: string;
  readonly at: Date;
}

/** A token that a receipt reports as dead, and its device. */
export interface DeadByReceipt {
  readonly deviceId: bigint;
  readonly tokenHash: Buffer;
  readonly receipt: VendorReceipt;
}

/** A receipt with a valid reference, and the slice that it refers to. */
interface ReferencedReceipt extends SliceKey {
  readonly tokenHash: Buffer;
  readonly receipt: VendorReceipt;
}

/** A receipt that counts: the device is in the slice, and the slice was sent to the vendor. */
interface MatchedReceipt extends ReferencedReceipt {
  readonly deviceId: bigint;
}

/** The app and vendor that receipts belong to. */
interface Account {
  readonly appId: string;
  readonly channel: VendorName;
}

/** Maximum number of receipts per lookup. */
const LOOKUP_BATCH_MAX = 2_000;
/**
 * Maximum number of queued receipts per account per database. Further receipts are rejected, and the vendor sends them
 * again later.
 */
const QUEUED_RECEIPTS_MAX = 50_000;
const BATCHES_MAX = 10_000;

/**
 * Records the receipts of vendor callbacks. A receipt counts only if its reference is valid, the device is in that
 * slice, and the notification was sent to the vendor. Repeated receipts count once.
 */
export class VendorReceipts {
  readonly #storage: Storage;
  readonly #receipts: Pick<Receipts, 'recordReceived'>;
  readonly #suspectTokens = new ReceiptSuspectTokens<DeadByReceipt>();
  /**
   * Simultaneous receipts are looked up together, because some vendors call once per device. Batches are separate per
   * account, so that each account has its own limit. They are also separate per database, so that an unavailable
   * database does not delay the others.
   */
  readonly #databaseNumbers = new LazyMap<ShardDb, number>(() => this.#databaseCount++);
  #databaseCount = 0;
  readonly #batches = new BoundedMap<string, Batch<ReferencedReceipt, MatchedReceipt | undefined>>(BATCHES_MAX);

  constructor(storage: Storage, receipts: Pick<Receipts, 'recordReceived'>) {
    this.#storage = storage;
    this.#receipts = receipts;
  }

  /**
   * Records receipts and resolves when they are committed. `hasMatches` is true if any of them counts. `isSuspicious` is
   * true if these receipts reached the limit of suspect tokens, so that the reports of dead tokens are ignored.
   */
  async record(
    account: Account & { readonly referenceKey: string },
    receipts: readonly VendorReceipt[],
  ): Promise<{ readonly hasMatches: boolean; readonly isSuspicious: boolean }> {
    const candidates = receipts.flatMap((entry) => {
      const sliceKey = verifyReference(entry.reference, account.referenceKey);
      return sliceKey
        ? [{ ...sliceKey, tokenHash: hashVendorToken(entry.token, account.channel), receipt: entry }]
        : [];
    });
    const matches = await Promise.all(candidates.map((entry) => this.#batchOf(account, entry.bucket).add(entry)));
    const matchedReceipts = distinct(matches.filter((entry) => entry !== undefined));
    if (matchedReceipts.length === 0) return { hasMatches: false, isSuspicious: false };
    const users = await this.#usersOf(
      account,
      matchedReceipts.filter(({ receipt }) => isSuspectStatus(receipt)),
    );
    const { dead, isSuspicious } = this.#suspectTokens.evaluate(
      account,
      matchedReceipts.map((entry) => ({ target: entry, status: entry.receipt })),
      ({ deviceId }) => `${users.get(deviceId)}`,
    );
    await endDeadBindings(this.#storage, account, dead);
    return { hasMatches: true, isSuspicious };
  }

  /** Returns the current owners of devices with suspect tokens. There are rarely any. */
  async #usersOf({ appId }: Account, receipts: readonly MatchedReceipt[]): Promise<ReadonlyMap<bigint, bigint | null>> {
    const keys = receipts.map(({ deviceId }) => ({ appId, deviceId, bucket: bucketOfDevice(deviceId) }));
    const groups = byDatabase(this.#storage.shards, keys, ({ bucket }) => bucket);
    const devices = await Promise.all([...groups].map(([db, group]) => findDevices(db, group)));
    return new Map(devices.flat().map(({ deviceId, userId }) => [deviceId, userId]));
  }

  #batchOf({ appId, channel }: Account, bucket: number): Batch<ReferencedReceipt, MatchedReceipt | undefined> {
    const { shards } = this.#storage;
    const db = shards.dbFor(bucket);
    const key = JSON.stringify([appId, channel, this.#databaseNumbers.get(db)]);
    let batch = this.#batches.get(key);
    if (!batch) {
      const run = (candidates: readonly ReferencedReceipt[]) => this.#matchPlaces(db, { appId, channel }, candidates);
      batch = new Batch({ sizeMax: LOOKUP_BATCH_MAX, queueMax: QUEUED_RECEIPTS_MAX, run });
      // This may evict another batch. Items that wait in that batch are still processed.
      this.#batches.set(key, batch);
    }
    return batch;
  }

  /**
   * Returns the receipts that count, and undefined for the others. Deliveries are committed before the method returns.
   */
  async #matchPlaces(
    db: ShardDb,
    account: Account,
    candidates: readonly ReferencedReceipt[],
  ): Promise<(MatchedReceipt | undefined)[]> {
    const hashes = candidates.map(({ tokenHash }) => tokenHash);
    const owners = await findVendorTokenOwners(this.#storage.home, account, hashes);
    const candidatesWithOwner = candidates.map((entry): MatchedReceipt | undefined => {
      const deviceId = owners.get(entry.tokenHash.toString('hex'));
      return deviceId === undefined ? undefined : { ...entry, deviceId };
    });
    const byPlace = Map.groupBy(
      candidatesWithOwner.filter((entry) => entry !== undefined),
      placeKey,
    );
    // Repeated receipts need only one lookup.
    const lookups = [...byPlace.values()].flatMap((copies) => copies.slice(0, 1));
    const days = groupByDay(lookups, ({ taskId }) => taskId);
    const places = (await Promise.all(days.map((ofDay) => findVendorPlaces(db, account, ofDay)))).flat();
    await Promise.all(
      places.map(async (place) => {
        const kinds = byPlace.get(placeKey(place))?.map(({ receipt }) => receipt.kind) ?? [];
        const isClick = kinds.includes('clicked');
        if (isClick || kinds.includes('delivered'))
          await this.#receipts.recordReceived(place, account.channel, { isClick });
      }),
    );
    const matchedKeys = new Set(places.map(placeKey));
    return candidatesWithOwner.map((entry) => (entry && matchedKeys.has(placeKey(entry)) ? entry : undefined));
  }
}

const placeKey = ({ taskId, bucket, sliceNumber, deviceId }: DeviceInSlice): string =>
  `${taskId}.${bucket}.${sliceNumber} ${deviceId}`;

/** Returns one receipt for each combination of kind and place, because copies add no information. */
const distinct = (receipts: readonly MatchedReceipt[]): MatchedReceipt[] => [
  ...new Map(receipts.map((entry) => [`${entry.receipt.kind} ${placeKey(entry)}`, entry])).values(),
];

/** Ends the bindings of dead tokens, except bindings that are newer than the receipt. */
async function endDeadBindings(
  { shards }: Storage,
  { appId, channel }: Account,
  dead: readonly DeadByReceipt[],
): Promise<void> {
  const bindings = dead.map(({ deviceId, tokenHash, receipt }) => ({
    appId,
    bucket: bucketOfDevice(deviceId),
    deviceId,
    channel,
    tokenHash,
    boundBefore: receipt.at,
    endReason: `receipt ${receipt.code}`,
  }));
  await Promise.all(
    [...byDatabase(shards, bindings, ({ bucket }) => bucket)].map(([db, group]) => endBindings(db, group)),
  );
}
