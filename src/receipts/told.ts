import type { Vendor } from '#src/domain/channel.ts';
import { shardOfDevice } from '#src/domain/device.ts';
import { openReference } from '#src/domain/reference.ts';
import { endBindings, hashVendorToken } from '#src/truth/bindings.ts';
import { byDatabase, type Truth } from '#src/truth/database.ts';
import { type DeviceInSlice, findTokenOwners, findVendorPlaces } from '#src/truth/vendor-places.ts';
import type { Receipts } from './receipts.ts';

/** What a vendor tells of one notification. */
export interface Told {
  readonly token: string;
  readonly reference: string;
  readonly kind: 'delivered' | 'token-dead' | 'pending' | 'failed';
  /** In its own words. */
  readonly code: string;
  readonly at: Date;
}

/**
 * Records what a vendor's callback says. Nothing counts but a reference of ours, for a device that is in that slice and
 * that the vendor was asked to serve; told twice it counts once. Answers how many counted.
 */
export async function recordTold(
  { truth, receipts }: { readonly truth: Truth; readonly receipts: Pick<Receipts, 'recordReceived'> },
  vendor: { readonly appId: string; readonly channel: Vendor; readonly referenceKey: string },
  told: readonly Told[],
): Promise<number> {
  const known = told.flatMap((one) => {
    const slice = openReference(one.reference, vendor.referenceKey);
    return slice ? [{ ...slice, tokenHash: hashVendorToken(one.token), told: one }] : [];
  });
  if (known.length === 0) return 0;
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
  const counts = await Promise.all(
    [...byDatabase(truth.shards, asked, ({ shard }) => shard)].map(async ([db, group]) => {
      const places = await findVendorPlaces(db, vendor, group);
      const marks = places.flatMap((place) =>
        distinct(byPlace.get(placeText(place)) ?? []).map((one) => ({ place, one })),
      );
      await Promise.all([
        ...marks
          .filter(({ one }) => one.told.kind === 'delivered')
          .map(({ place }) => receipts.recordReceived(place, vendor.channel)),
        endDead(
          truth,
          vendor,
          marks.map(({ one }) => one).filter((one) => one.told.kind === 'token-dead'),
        ),
      ]);
      return new Set(marks.map(({ one }) => one)).size;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
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
  dead: readonly { readonly deviceId: bigint; readonly tokenHash: Buffer; readonly told: Told }[],
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
