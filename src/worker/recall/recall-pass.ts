import { bitsOf, hasBit } from '#src/domain/bits.ts';
import type { Channel } from '#src/domain/channel.ts';
import { bucketOfDevice } from '#src/domain/device.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import {
  addRecallResults,
  findChannelsOfTask,
  findSlicesToRecall,
  type SliceToRecall,
} from '#src/storage/ledger/recalls.ts';
import { canRecall } from '#src/vendors/registry.ts';
import { recallNativeSlice } from './recall-native.ts';
import { type PlaceToRecall, type RecallPass, remainingMs, type SliceRecall } from './recall-places.ts';
import { recallVendorSlice } from './recall-vendor.ts';

/** `complete`: no place is left. `cut`: the pass ended early and can continue immediately. `partial`: some must wait. */
export type PassResult = 'complete' | 'cut' | 'partial';

const SLICES_PER_PAGE = 16;

/** Recalls a task in all databases and channels, independently of each other. */
export async function runRecallPass(pass: RecallPass): Promise<PassResult> {
  const results = await Promise.all(pass.context.storage.shards.all.map((db) => recallInDatabase(pass, db)));
  return worstOf(results);
}

async function recallInDatabase(pass: RecallPass, db: ShardDb): Promise<PassResult> {
  const recallChannel = (channel: Channel) =>
    recallOnChannel(pass, db, channel).catch((error: unknown) => handleFailure(pass, error, channel));
  try {
    return worstOf(await Promise.all((await findChannelsOfTask(db, pass.taskId)).map(recallChannel)));
  } catch (error) {
    return handleFailure(pass, error);
  }
}

/** Logs a failure, unless a database is unavailable. The rest of the task is recalled in a later pass. */
function handleFailure({ context, appId, taskId }: RecallPass, error: unknown, channel?: Channel): PassResult {
  if (!(error instanceof Unavailable))
    context.log.warn('recall-failed', { appId, taskId: `${taskId}`, channel, error });
  return 'partial';
}

const worstOf = (results: readonly PassResult[]): PassResult =>
  (['cut', 'partial'] as const).find((result) => results.includes(result)) ?? 'complete';

/** Recalls the slices of one channel, one after the other, so that one vendor delays no other. */
async function recallOnChannel(pass: RecallPass, db: ShardDb, channel: Channel): Promise<PassResult> {
  let after = { bucket: -1, sliceNumber: 0 };
  let isComplete = true;
  for (;;) {
    const slices = await findSlicesToRecall(db, pass.taskId, channel, after, SLICES_PER_PAGE);
    for (const slice of slices) {
      if (remainingMs(pass) <= 0) return 'cut';
      const { recalled, failed, isBlocked } = await recallSlice(pass, slice);
      const places = placesOf(pass, slice).length;
      if (recalled.length + failed.length > 0)
        await addRecallResults(db, slice, {
          recalled: bitsOf(slice.placeCount, recalled),
          failed: bitsOf(slice.placeCount, failed),
        });
      if (isBlocked) return 'partial';
      isComplete &&= recalled.length + failed.length === places;
      after = slice;
    }
    if (slices.length < SLICES_PER_PAGE) return isComplete ? 'complete' : 'partial';
  }
}

async function recallSlice(pass: RecallPass, slice: SliceToRecall): Promise<SliceRecall> {
  const places = placesOf(pass, slice);
  const { channel } = slice;
  if (pass.isLast || !canRecall(channel, pass.messageType))
    return { recalled: [], failed: places.map(({ index }) => index), isBlocked: false };
  return channel === 'nativepush' ? recallNativeSlice(pass, places) : recallVendorSlice(pass, channel, places);
}

function placesOf({ appId }: RecallPass, { places, deviceIds, generations }: SliceToRecall): PlaceToRecall[] {
  return deviceIds.flatMap((deviceId, index) =>
    hasBit(places, index)
      ? [{ appId, bucket: bucketOfDevice(deviceId), deviceId, index, generation: generations[index] as number }]
      : [],
  );
}
