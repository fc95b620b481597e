import { phaseOf } from '#src/domain/ledger.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import type { WorkerContext } from '../context.ts';
import { groupByDatabase, shardsOfSlice } from '../pacing/group-by-database.ts';
import { cancelSlices } from './cancel.ts';
import { closeSlices } from './finish.ts';
import { sendNative } from './send-native.ts';
import { sendVendor } from './send-vendor.ts';
import { settleNative } from './settle-native.ts';
import { waitInInbox } from './wait-in-inbox.ts';
import type { Work } from './work.ts';

/** Does what has to be done with slices that this worker holds: together what is in the same phase and needs the same. */
export async function dispatch(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const groups = groupByDatabase(context.storage.shards, works, ({ slice }) => shardsOfSlice(slice));
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

/** Nothing is open, but whoever saw to that died before the slice was closed. */
const closeFinishedSlices: Step = async (context, works) => {
  await closeSlices(
    context,
    works.map((work) => ({ work, status: work.slice.status })),
  );
};
