import { isOpen, placeStatus, type SliceChannel } from '#src/domain/slice.ts';
import type { SliceWrite } from '#src/storage/ledger/slices.ts';
import type { ClaimedTask } from '#src/storage/ledger/tasks.ts';
import type { Work, WorkerContext } from '../context.ts';
import { workerMetrics } from '../metrics.ts';

// Everything is counted batch by batch, never device by device: to count costs as much as a small part of the work.

/** Tasks that were claimed for the first time, and how long they waited for it. */
export function countWaits({ clock }: WorkerContext, claims: readonly ClaimedTask[]): void {
  const now = clock.now().getTime();
  for (const { task, epoch } of claims)
    if (epoch === FIRST_EPOCH)
      workerMetrics.queueSeconds.observe(Math.max(0, now - task.dueAt.getTime()) / 1_000, task.lane);
}

/** A task is made with epoch 0, and each claim adds one. */
const FIRST_EPOCH = 1;

/** Devices that were written down for their first channel. */
export function countExpanded(slices: readonly { readonly channel: SliceChannel; readonly n: number }[]): void {
  for (const [channel, some] of Map.groupBy(slices, (slice) => slice.channel))
    workerMetrics.expanded.inc({ channel }, placesOf(some));
}

/** Devices that go on from a channel in these slices. */
export function countHandedOver(
  channel: SliceChannel,
  children: readonly { readonly channel: SliceChannel; readonly n: number }[],
): void {
  for (const [to, some] of Map.groupBy(children, (slice) => slice.channel))
    workerMetrics.handedOver.inc({ channel, to }, placesOf(some));
}

/** What became of attempts on a channel. */
export function countSent(channel: SliceChannel, outcomes: Readonly<Record<string, number>>): void {
  for (const [outcome, count] of Object.entries(outcomes))
    if (count > 0) workerMetrics.sent.inc({ channel, outcome }, count);
}

/** A channel has taken something of each of these. */
export function countTaken({ clock }: WorkerContext, channel: SliceChannel, works: readonly Work[]): void {
  if (works.length === 0) return;
  const now = clock.now().getTime();
  for (const { task } of works)
    workerMetrics.takenSeconds.observe(Math.max(0, now - task.dueAt.getTime()) / 1_000, channel);
}

/** Places that were open before these writes and are not any more. */
export function countEnded(writes: readonly SliceWrite[]): void {
  const counts = new Map<string, { channel: SliceChannel; status: number; count: number }>();
  for (const { held, status } of writes)
    for (let place = 0; place < status.length; place++) {
      const now = status[place] as number;
      if (isOpen(now) || !isOpen(held.status[place] as number)) continue;
      const key = `${held.channel} ${now}`;
      const counted = counts.get(key);
      if (counted) counted.count++;
      else counts.set(key, { channel: held.channel, status: now, count: 1 });
    }
  for (const { channel, status, count } of counts.values())
    workerMetrics.ended.inc({ channel, status: STATUS_NAMES[status] ?? 'unknown' }, count);
}

const STATUS_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(placeStatus).map(([name, status]) => [status, name]),
);

const placesOf = (slices: readonly { readonly n: number }[]): number => slices.reduce((sum, { n }) => sum + n, 0);
