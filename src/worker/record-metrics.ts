import { isOpen, placeStatus, type SliceChannel } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { SliceWrite } from '#src/storage/ledger/slices.ts';
import type { ClaimedTask } from '#src/storage/ledger/tasks.ts';
import { workerMetrics } from './metrics.ts';

// Metrics are recorded per batch, never per device, because recording takes a noticeable share of a worker's time.

/** Records how long tasks waited for their first claim. */
export function recordQueueTimes(clock: DatabaseClock, claims: readonly ClaimedTask[]): void {
  const now = clock.now().getTime();
  for (const { task, epoch } of claims)
    if (epoch === FIRST_EPOCH)
      workerMetrics.queueSeconds.observe(Math.max(0, now - task.dueAt.getTime()) / 1_000, task.lane);
}

/** A task is created with epoch 0, and each claim adds one. */
const FIRST_EPOCH = 1;

/** Records the devices that were planned for their first channel. */
export function recordExpanded(slices: readonly CountedSlice[]): void {
  for (const [channel, group] of Map.groupBy(slices, (slice) => slice.channel))
    workerMetrics.expanded.inc({ channel }, countPlaces(group));
}

interface CountedSlice {
  readonly channel: SliceChannel;
  readonly placeCount: number;
}

/** Records the devices that move from a channel to these slices. */
export function recordHandedOver(channel: SliceChannel, children: readonly CountedSlice[]): void {
  for (const [to, group] of Map.groupBy(children, (slice) => slice.channel))
    workerMetrics.handedOver.inc({ channel, to }, countPlaces(group));
}

/** Records the outcomes of attempts on a channel. */
export function recordSendOutcomes(channel: SliceChannel, outcomes: Readonly<Record<string, number>>): void {
  for (const [outcome, count] of Object.entries(outcomes))
    if (count > 0) workerMetrics.sent.inc({ channel, outcome }, count);
}

/**
 * Records the latency of slices with at least one notification that was accepted by the vendor or written to a session.
 */
export function recordSendLatency(
  clock: DatabaseClock,
  channel: SliceChannel,
  works: readonly { readonly task: Task }[],
): void {
  if (works.length === 0) return;
  const now = clock.now().getTime();
  for (const { task } of works)
    workerMetrics.sendLatencySeconds.observe(Math.max(0, now - task.dueAt.getTime()) / 1_000, channel);
}

/** Records the places that these writes changed from open to done. */
export function recordEnded(writes: readonly SliceWrite[]): void {
  const counts = new Map<string, { channel: SliceChannel; status: number; count: number }>();
  for (const { claimed: slice, status } of writes)
    for (let place = 0; place < status.length; place++) {
      const newStatus = status[place] as number;
      if (isOpen(newStatus) || !isOpen(slice.status[place] as number)) continue;
      const key = `${slice.channel} ${newStatus}`;
      const entry = counts.get(key);
      if (entry) entry.count++;
      else counts.set(key, { channel: slice.channel, status: newStatus, count: 1 });
    }
  for (const { channel, status, count } of counts.values())
    workerMetrics.ended.inc({ channel, status: STATUS_NAMES[status] ?? 'unknown' }, count);
}

const STATUS_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(placeStatus).map(([name, status]) => [status, name]),
);

const countPlaces = (slices: readonly CountedSlice[]): number =>
  slices.reduce((sum, { placeCount }) => sum + placeCount, 0);
