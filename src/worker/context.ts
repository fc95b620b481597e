import type { Static } from 'typebox';
import type { Lane } from '#src/domain/task.ts';
import type { Batch } from '#src/foundation/batch.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import type { Signals } from '#src/signals/signals.ts';
import type { Storage } from '#src/storage/database/database.ts';
import type { ClaimedTask, PlannedMark } from '#src/storage/ledger/tasks.ts';
import type { VendorSender } from '#src/vendors/sender.ts';
import type { vendorSettings } from '#src/vendors/settings.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { Breakers } from './accounts/breakers.ts';
import type { LastResponses } from './accounts/last-responses.ts';
import type { QuotaUsageWriter } from './accounts/quota-usage.ts';
import type { Quotas } from './accounts/quotas.ts';
import type { Rates } from './accounts/rates.ts';
import type { SuspectTokens } from './accounts/suspect-tokens.ts';
import type { Slots } from './claim/slots.ts';
import type { AppTurns } from './pacing/app-turns.ts';
import type { BulkThrottle } from './pacing/bulk-throttle.ts';
import type { CancelChecks } from './pacing/cancel-checks.ts';
import type { IndependentWork } from './pacing/independent-work.ts';
import type { ReleaseQueue } from './pacing/release-claims.ts';
import type { TaskCache } from './pacing/task-cache.ts';
import type { UnrecordedBits } from './pacing/unrecorded-bits.ts';
import type { PlannedCall } from './send/work.ts';
import type { workerSettings } from './settings.ts';

/** The dependencies and state that all steps of a worker share. */
export interface WorkerContext {
  readonly settings: Static<typeof workerSettings> & Static<typeof vendorSettings>;
  readonly storage: Storage;
  readonly signals: Signals;
  readonly clock: DatabaseClock;
  readonly accounts: Accounts;
  readonly breakers: Breakers;
  readonly lastResponses: LastResponses;
  readonly suspectTokens: SuspectTokens<PlannedCall>;
  readonly quotas: Quotas;
  readonly quotaUsage: QuotaUsageWriter;
  readonly rates: Rates;
  readonly slots: Readonly<Record<Lane, Slots>>;
  readonly taskCache: TaskCache;
  readonly sender: VendorSender;
  readonly appTurns: Readonly<Record<Lane, AppTurns>>;
  readonly bulkThrottle: BulkThrottle;
  readonly releaseQueue: ReleaseQueue;
  readonly unrecordedBits: UnrecordedBits;
  readonly independentWork: IndependentWork;
  readonly cancelChecks: CancelChecks;
  /** Marks tasks as planned, in batches. */
  readonly plannedMarks: Batch<ClaimedTask, PlannedMark | undefined>;
  /** Tasks that this worker is planning, and whether one of their slices was closed since planning began. */
  readonly tasksBeingPlanned: Map<bigint, { closed: boolean }>;
  /** Bulk tasks with a slice that was closed since the last sweep. They may be finished. */
  readonly bulkTasksToCheck: Set<bigint>;
  readonly log: Log;
}
