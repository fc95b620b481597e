import { BUCKETS } from '#src/domain/bucket.ts';
import { vendorNames } from '#src/domain/channel.ts';
import { bucketOfTask, type Task } from '#src/domain/task.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import { divideBuckets } from '#src/storage/database/bucket-map.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { type BadgeChange, changeBadges } from '#src/storage/devices/badges.ts';
import {
  countAudienceDevices,
  type DeviceAudience,
  estimateAudienceDevices,
  rangeCountFor,
} from '#src/storage/ledger/audience-devices.ts';
import {
  type ClaimedExpansion,
  endExpansion,
  expansionOf,
  planExpansions,
  type RangeLimits,
  renewExpansion,
  streamRange,
} from '#src/storage/ledger/expansions.ts';
import { insertUnclaimedSlices, type NewSlice } from '#src/storage/ledger/slices.ts';
import { type ClaimedTask, type DecidedTask, decideByRange } from '#src/storage/ledger/tasks.ts';
import { limitsOf } from '#src/vendors/sender.ts';
import type { WorkerContext } from '../context.ts';
import { workerMetrics } from '../metrics.ts';
import { renewDuring } from '../pacing/lease.ts';
import { recordExpanded } from '../record-metrics.ts';
import { postponeExpansion } from '../send/missing-tasks.ts';
import { changeBadgesInAllShards } from './badges.ts';
import { expandGroup } from './expand-group.ts';
import { Slicer, UNCLAIMED } from './slicer.ts';

/**
 * Decides how tasks to all devices or to tags are expanded. A small audience is expanded as a list, which is one
 * expansion instead of several. Tasks that this worker no longer holds are left out.
 */
export async function decideExpansions(context: WorkerContext, claims: readonly ClaimedTask[]): Promise<DecidedTask[]> {
  const decidedTasks: DecidedTask[] = [];
  for (const claim of claims) {
    const { task, cancelled } = claim;
    if (claim.byRange !== null) decidedTasks.push({ ...claim, byRange: claim.byRange });
    else {
      const byRange = !cancelled && !(await fitsSingleExpansion(context, task));
      if (await decideByRange(context.storage.home, claim, byRange)) decidedTasks.push({ ...claim, byRange });
    }
  }
  return decidedTasks;
}

async function fitsSingleExpansion({ storage, settings }: WorkerContext, task: Task): Promise<boolean> {
  const devicesMax = settings.CARILLON_SINGLE_EXPANSION_DEVICES_MAX;
  let count = 0;
  for (const db of storage.shards.all) {
    // The ranges of the other databases can be expanded while one is unavailable.
    if (db.isSilent) return false;
    count += await countAudienceDevices(db, task.appId, audienceOfDevices(task).tags, devicesMax + 1);
    if (count > devicesMax) return false;
  }
  return true;
}

export const audienceOfDevices = ({ dueAt, audience }: Task): DeviceAudience => ({
  dueAt,
  tags: audience.kind === 'tag' ? audience.names : null,
});

/**
 * Limits of a range. A transaction stays under a second, so that it neither delays others nor outlives its lease. A page
 * can take longer than planned, so the time limit leaves room for one more page.
 */
const RANGE_LIMITS = { devices: 100_000, milliseconds: 500 };

/**
 * Divides the audience of a task into ranges, which many workers then share. Each database gets as many ranges as it
 * probably needs. If a database is unavailable, the devices of the others are notified nevertheless. Expansions of a
 * cancelled task are stored as done. Otherwise a worker could claim an expansion and send it before the cancellation is
 * propagated.
 */
export async function planRanges(context: WorkerContext, { task, cancelled }: DecidedTask): Promise<void> {
  const { shards } = context.storage;
  const plan = async (db: ShardDb) => {
    const spans = shards.rangesOf(db);
    const buckets = spans.reduce((sum, { firstBucket, lastBucket }) => sum + lastBucket - firstBucket + 1, 0);
    const devices = cancelled ? 0 : await estimateAudienceDevices(db, task.appId, audienceOfDevices(task).tags);
    if ((devices * BUCKETS) / buckets > RAMP_DEVICES_MIN) await startRamps(context, task.appId);
    const count = rangeCountFor(devices, RANGE_LIMITS.devices);
    const expansions = spans.flatMap((span) => {
      const size = span.lastBucket - span.firstBucket + 1;
      return divideBuckets(span, Math.ceil((count * size) / buckets)).map((range) => expansionOf(task, range));
    });
    await planExpansions(db, expansions, { done: cancelled });
  };
  await settleAll(shards.all.map(plan));
}

/** Estimated number of devices in all databases above which vendors that need it get a gradual start. */
const RAMP_DEVICES_MIN = 100_000;

async function startRamps({ accounts, rates }: WorkerContext, appId: string): Promise<void> {
  for (const vendor of vendorNames.filter((name) => limitsOf(name).rampSeconds !== undefined))
    for (const account of await accounts.accountsOf(appId, vendor)) await rates.startRamp(account, limitsOf(vendor));
}

/** Plans the first expansion of a task to a group. Each expansion of a page of members adds the next one. */
export async function planGroup({ storage }: WorkerContext, { task, cancelled }: DecidedTask): Promise<void> {
  const bucket = bucketOfTask(task.taskId);
  const expansion = expansionOf(task, { firstBucket: bucket, lastBucket: bucket });
  await planExpansions(storage.shards.dbFor(bucket), [expansion], { done: cancelled });
}

/** Maximum number of slices per statement. 16 slices are about 100 KB of text. */
const SLICES_PER_INSERT_MAX = 16;

/**
 * Turns a part of a task's audience into slices, in one transaction. Any worker can then claim the slices. The lease is
 * renewed while the transaction runs. If the task was cancelled before or during the expansion, the expansion ends
 * without slices.
 */
export async function expandRange(context: WorkerContext, expansion: ClaimedExpansion): Promise<void> {
  const db = context.storage.shards.dbFor(expansion.bucket);
  const { taskId } = expansion;
  const stopped = expansion.cancelled ? undefined : await context.cancelChecks.findStopped([taskId]);
  if (!stopped || stopped.cancelled.has(taskId)) {
    await endExpansion(db, expansion);
    return;
  }
  const task = stopped.missing.has(taskId) ? undefined : (await context.taskCache.get([taskId])).get(taskId);
  if (!task) {
    await postponeExpansion(context, db, expansion);
    return;
  }
  if (task.defect !== undefined) throw new Error(task.defect);
  const rules = await context.accounts.routeRulesOf(task);
  const slicer = new Slicer({ task, rules, bucket: expansion.bucket, initialState: UNCLAIMED });
  const planned: Pick<NewSlice, 'channel' | 'placeCount'>[] = [];
  const insertSlices = async (tx: ShardDb, slices: readonly NewSlice[]) => {
    planned.push(...slices.map(({ channel, placeCount }) => ({ channel, placeCount })));
    for (let i = 0; i < slices.length; i += SLICES_PER_INSERT_MAX)
      await insertUnclaimedSlices(tx, slices.slice(i, i + SLICES_PER_INSERT_MAX));
  };
  const isHere = ({ bucket }: BadgeChange) => context.storage.shards.dbFor(bucket) === db;
  const limits: RangeLimits = { ...RANGE_LIMITS, shouldYield: () => context.bulkThrottle.isHeldBack };
  const beganMs = performance.now();
  // The lease is renewed on another connection.
  const renew = () => renewExpansion(db, expansion, context.settings.CARILLON_LEASE_SECONDS);
  const end = await renewDuring(context, renew, () =>
    task.groupId === null
      ? streamRange(db, expansion, audienceOfDevices(task), limits, async (tx, groups, isLast) => {
          await insertSlices(tx, [...slicer.add(groups), ...(isLast ? slicer.flush() : [])]);
          // Last, so that the blocks are locked only for a short time.
          if (isLast) await changeBadges(tx, slicer.badgeChanges);
        })
      : expandGroup(context, db, expansion, task, async (tx, groups) => {
          await insertSlices(tx, [...slicer.add(groups), ...slicer.flush()]);
          await changeBadges(tx, slicer.badgeChanges.filter(isHere));
        }),
  );
  if (end === 'done' && task.groupId !== null)
    await changeBadgesInAllShards(
      context,
      slicer.badgeChanges.filter((change) => !isHere(change)),
    );
  workerMetrics.expandSeconds.observeSince(beganMs, task.lane);
  if (end === 'done') recordExpanded(planned);
  if (end === 'cancelled') await endExpansion(db, expansion);
}
