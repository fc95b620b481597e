import { isOpen, placeStatus, type SliceChannel } from '#src/domain/slice.ts';
import type { SliceWrite } from '#src/storage/ledger/slices.ts';
import type { ClaimedTask } from '#src/storage/ledger/tasks.ts';
import type { Work, WorkerContext } from '../context.ts';
import { workerMetrics } from '../metrics.ts';

// Everything is counted batch by batch, never device by device: to count costs as much as a small part of the work.

/** Tasks that were claimed for the first time, and how long they waited for it. */
export function recordQueueTimes({ clock }: WorkerContext, claims: readonly ClaimedTask[]): void {
  const now = clock.now().getTime();
  for (const { task, epoch } of claims)
    if (epoch === FIRST_EPOCH)
      workerMetrics.queueSeconds.observe(Math.max(0, now - task.dueAt.getTime()) / 1_000, task.lane);
}

/** A task is made with epoch 0, and each claim adds one. */
const FIRST_EPOCH = 1;

/** Devices that were written down for their first channel. */
export function recordExpanded(
  slices: readonly { readonly channel: SliceChannel; readonly placeCount: number }[],
): void {
  for (const [channel, group] of Map.groupBy(slices, (slice) => slice.channel))
    workerMetrics.expanded.inc({ channel }, countPlaces(group));
}

/** Devices that go on from a channel in these slices. */
export function recordHandedOver(
  channel: SliceChannel,
  children: readonly { readonly channel: SliceChannel; readonly placeCount: number }[],
): void {
  for (const [to, group] of Map.groupBy(children, (slice) => slice.channel))
    workerMetrics.handedOver.inc({ channel, to }, countPlaces(group));
}

/** What became of attempts on a channel. */
export function recordSendOutcomes(channel: SliceChannel, outcomes: Readonly<Record<string, number>>): void {
  for (const [outcome, count] of Object.entries(outcomes))
    if (count > 0) workerMetrics.sent.inc({ channel, outcome }, count);
}

/** A channel has taken something of each of these. */
export function recordSendLatency({ clock }: WorkerContext, channel: SliceChannel, works: readonly Work[]): void {
  if (works.length === 0) return;
  const now = clock.now().getTime();
  for (const { task } of works)
    workerMetrics.sendLatencySeconds.observe(Math.max(0, now - task.dueAt.getTime()) / 1_000, channel);
}

/** Places that were open before these writes and are not any more. */
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

const countPlaces = (slices: readonly { readonly placeCount: number }[]): number =>
  slices.reduce((sum, { placeCount }) => sum + placeCount, 0);
