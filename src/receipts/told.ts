import type { Vendor } from '#src/domain/channel.ts';
import { shardOfDevice } from '#src/domain/device.ts';
import { openReference } from '#src/domain/reference.ts';
import { endBindings, hashVendorToken } from '#src/truth/bindings.ts';
import { byDatabase, type Truth } from '#src/truth/database.ts';
import { type DeviceInSlice, findTokenOwners, findVendorPlaces } from '#src/truth/vendor-places.ts';
import type { DoubtedReceipts, ToldToken } from './doubted-receipts.ts';
import type { Receipts } from './receipts.ts';

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

/**
 * Records what a vendor's callback says. Nothing counts but a reference of ours, for a device that is in that slice and
 * that the vendor was asked to serve; told twice it counts once. Answers how
 * many counted, and whether so many tokens are said to be dead that none of them is believed.
 */
export async function recordTold(
  {
    truth,
    receipts,
    doubts,
  }: {
    readonly truth: Truth;
    readonly receipts: Pick<Receipts, 'recordReceived'>;
    readonly doubts: DoubtedReceipts<DeadByReceipt>;
  },
  vendor: { readonly appId: string; readonly channel: Vendor; readonly referenceKey: string },
  told: readonly Told[],
): Promise<{ readonly counted: number; readonly isSuspicious: boolean }> {
  const known = told.flatMap((one) => {
    const slice = openReference(one.reference, vendor.referenceKey);
    return slice ? [{ ...slice, tokenHash: hashVendorToken(one.token), told: one }] : [];
  });
  if (known.length === 0) return { counted: 0, isSuspicious: false };
  const owners = await findTokenOwners(
    truth.home,
    vendor,
    known.map(({ tokenHash }) => tokenHash),
  );
  const owned = known.flatMap((one) => {
    const deviceId = owners.get(one.tokenHash.toString('hex'));
    return deviceId === undefined ? [] : [{ ...one, deviceId }];
  });
  const byPlace = Map.groupBy(owned, placeText);
  // Told a thousand times it is asked about once.
  const asked = [...byPlace.values()].flatMap((copies) => copies.slice(0, 1));
  const found = await Promise.all(
    [...byDatabase(truth.shards, asked, ({ shard }) => shard)].map(async ([db, group]) => {
      const places = await findVendorPlaces(db, vendor, group);
      const marks = places.flatMap((place) =>
        distinct(byPlace.get(placeText(place)) ?? []).map((one) => ({ place, one })),
      );
      await Promise.all(
        marks
          .filter(({ one }) => one.told.kind === 'delivered')
          .map(({ place }) => receipts.recordReceived(place, vendor.channel)),
      );
      return marks.map(({ one }) => one);
    }),
  );
  const counted = [...new Set(found.flat())];
  const { dead, isSuspicious } = doubts.weigh(
    vendor,
    counted.map((one) => ({ who: one, told: one.told })),
  );
  await endDead(truth, vendor, dead);
  return { counted: counted.length, isSuspicious };
}

const placeText = ({ taskId, shard, slice, deviceId }: DeviceInSlice): string =>
  `${taskId}.${shard}.${slice} ${deviceId}`;

/** One of each kind: copies say nothing more. */
const distinct = <T extends { readonly told: Told }>(copies: readonly T[]): T[] => [
  ...new Map(copies.map((copy) => [copy.told.kind, copy])).values(),
];

/** Only bindings that are older than what the vendor says. */
async function endDead(
  { shards }: Truth,
  { appId, channel }: { readonly appId: string; readonly channel: Vendor },
  dead: readonly DeadByReceipt[],
): Promise<void> {
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
