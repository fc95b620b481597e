import { phaseOf } from '#src/domain/ledger.ts';
import { sliceDefect } from '#src/domain/slice.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import type { HomeDb, ShardDb } from '#src/storage/database/database.ts';
import { recordSliceFailure } from '#src/storage/ledger/failed-work.ts';
import { reclaimSlice } from '#src/storage/ledger/slices.ts';
import type { WorkerContext } from '../context.ts';
import { isOwnFailure, recordFailure } from '../pacing/failed-work.ts';
import { type DatabaseGroup, databasesOfSlice, groupBySameDatabases } from '../pacing/group-by-database.ts';
import { cancelSlices } from './cancel.ts';
import { closeSlices } from './finish.ts';
import { sendNative } from './send-native.ts';
import { sendVendor } from './send-vendor.ts';
import { settleNative } from './settle-native.ts';
import { waitInInbox } from './wait-in-inbox.ts';
import { toWork, type Work } from './work.ts';

/**
 * Processes slices that this worker holds. Slices in the same phase that need the same databases are processed
 * together. If such a group fails for its own reason, each of its slices is processed again alone. A slice that failed
 * before, or is invalid, is always processed alone.
 */
export async function dispatch(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const { shards } = context.storage;
  const isSuspect = (work: Work) => work.slice.failures > 0 || defectOf(work) !== undefined;
  const groups: DatabaseGroup<Work>[] = [
    ...groupBySameDatabases(
      works.filter((work) => !isSuspect(work)),
      ({ slice }) => databasesOfSlice(shards, slice),
    ),
    ...works.filter(isSuspect).map((work) => ({
      items: [work],
      databases: new Set(databasesOfSlice(shards, work.slice)),
    })),
  ];
  await context.independentWork.settle(
    groups.map(({ items, databases: shards }) => {
      const databases = new Set([context.storage.home, ...shards]);
      return { databases, work: dispatchGroup(context, items, databases) };
    }),
  );
}

async function dispatchGroup(
  context: WorkerContext,
  works: readonly Work[],
  databases: ReadonlySet<HomeDb | ShardDb>,
): Promise<void> {
  await settleAll(
    [...Map.groupBy(works, stepOf)].map(([step, stepWorks]) => runStep(context, step, stepWorks, databases)),
  );
}

async function runStep(
  context: WorkerContext,
  step: Step,
  works: readonly Work[],
  databases: ReadonlySet<HomeDb | ShardDb>,
): Promise<void> {
  const slices = works.map(({ slice }) => slice);
  try {
    await context.releaseQueue.releaseIfUnavailable({ slices, databases }, () => step(context, works));
  } catch (error) {
    if (!isOwnFailure(error)) throw error;
    const [{ slice }, ...others] = works as [Work, ...Work[]];
    if (others.length > 0) {
      context.log.warn('work-failed', { slices: works.length, error });
      await settleAll(works.map((work) => retryAlone(context, work, databases)));
    } else {
      const { taskId, bucket, sliceNumber, appId, channel } = slice;
      await recordFailure(context, { taskId, bucket, slice: sliceNumber, appId, channel }, error, (failure) =>
        recordSliceFailure(context.storage.shards.dbFor(bucket), slice, failure),
      );
    }
  }
}

/**
 * Processes a slice of a failed group again. The new claim reads the current statuses, so that only places in doubt are
 * sent again, and ignores delayed writes of the failed attempt. A slice that already has a result is left unchanged.
 */
async function retryAlone(
  context: WorkerContext,
  { slice, task }: Work,
  databases: ReadonlySet<HomeDb | ShardDb>,
): Promise<void> {
  const acquiredAtMs = performance.now();
  const db = context.storage.shards.dbFor(slice.bucket);
  const reclaimed = await reclaimSlice(db, slice, context.settings.CARILLON_LEASE_SECONDS);
  if (reclaimed) await dispatchGroup(context, [toWork(reclaimed, task, acquiredAtMs)], databases);
}

type Step = (context: WorkerContext, works: readonly Work[]) => Promise<void>;

/** Returns why a slice or its task is invalid, or undefined. */
const defectOf = ({ slice, task }: Work): string | undefined => task.defect ?? sliceDefect(slice);

function stepOf(work: Work): Step {
  const { channel, status, cancelled } = work.slice;
  if (cancelled) return cancelSlices;
  if (defectOf(work) !== undefined) return rejectInvalidSlices;
  const isNative = channel === 'nativepush';
  switch (phaseOf(channel, status)) {
    case 'send':
      return isNative ? sendNative : sendVendor;
    case 'settle':
      return settleNative;
    case 'wait':
      return waitInInbox;
    case 'close':
      return closeFinishedSlices;
  }
}

const rejectInvalidSlices: Step = async (_context, works) => {
  throw new Error(works.map(defectOf).join(' '));
};

/** Closes slices that have no open place, because the previous worker crashed before it closed them. */
const closeFinishedSlices: Step = async (context, works) => {
  await closeSlices(
    context,
    works.map((work) => ({ work, status: work.slice.status })),
  );
};
