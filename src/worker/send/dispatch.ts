import { phaseOf } from '#src/domain/ledger.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import type { WorkerContext } from '../context.ts';
import { databasesOfSlice, groupBySameDatabases } from '../pacing/group-by-database.ts';
import { cancelSlices } from './cancel.ts';
import { closeSlices } from './finish.ts';
import { sendNative } from './send-native.ts';
import { sendVendor } from './send-vendor.ts';
import { settleNative } from './settle-native.ts';
import { waitInInbox } from './wait-in-inbox.ts';
import type { Work } from './work.ts';

/**
 * Processes slices that this worker holds. Slices in the same phase that need the same databases are processed
 * together.
 */
export async function dispatch(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const groups = groupBySameDatabases(works, ({ slice }) => databasesOfSlice(context.storage.shards, slice));
  await settleAll(
    groups.flatMap((group) => [...Map.groupBy(group, stepOf)].map(([step, stepWorks]) => step(context, stepWorks))),
  );
}

type Step = (context: WorkerContext, works: readonly Work[]) => Promise<void>;

function stepOf({ slice: { channel, status, cancelled } }: Work): Step {
  if (cancelled) return cancelSlices;
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

/** Closes slices that have no open place, because the previous worker crashed before it closed them. */
const closeFinishedSlices: Step = async (context, works) => {
  await closeSlices(
    context,
    works.map((work) => ({ work, status: work.slice.status })),
  );
};
