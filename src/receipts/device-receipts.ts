import { parseReference, type SliceKey, sliceKeyText } from '#src/domain/slice.ts';
import { groupByDay } from '#src/domain/task.ts';
import { byDatabase, type Shards } from '#src/storage/database/database.ts';
import { findTriedPlaces } from '#src/storage/ledger/slices.ts';
import type { Receipts } from './receipts.ts';

/**
 * Records the receipts from a device, identified by the references that came with the notifications. Returns the number
 * of known places. Only places of this device that were sent count. On the Carillon channel, the receipt is the PUBACK, so
 * only clicks count there.
 */
export async function recordDeviceReceipts(
  { shards, receipts }: { readonly shards: Shards; readonly receipts: Pick<Receipts, 'recordReceived'> },
  device: { readonly appId: string; readonly deviceId: bigint; readonly generation: number },
  references: readonly string[],
  options: { readonly isClick: boolean },
): Promise<number> {
  const keys = new Map<string, SliceKey>();
  for (const reference of references) {
    const key = parseReference(reference);
    if (key) keys.set(sliceKeyText(key), key);
  }
  const counts = await Promise.all(
    [...byDatabase(shards, keys.values(), ({ bucket }) => bucket)].map(async ([db, group]) => {
      const days = groupByDay(group, ({ taskId }) => taskId);
      const places = (await Promise.all(days.map((ofDay) => findTriedPlaces(db, device, ofDay, options)))).flat();
      await Promise.all(places.map(({ channel, ...place }) => receipts.recordReceived(place, channel, options)));
      return places.length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
