import { type Bits, hasBit } from './bits.ts';
import type { SliceRow } from './claim.ts';
import { isOpen, placeStatus, sliceKeyText } from './slice.ts';

/** The ledger's laws on plain records. Each answers the sentences that do not hold: none, if all is well. */

/** What one row must be at any moment: L3, L4, and of L7 and L9 what a row alone can show. */
export function brokenByRow(row: SliceRow): string[] {
  const { n, status, sent, received, deviceIds, generations } = row;
  const lengths = [status.length, sent.length, received.length, deviceIds.length, generations.length];
  if (lengths.some((length) => length !== n)) return [about(row, 'L3 a slice has n statuses, n bits and n targets')];
  const broken: string[] = [];
  for (let place = 0; place < n; place++) {
    if (hasBit(received, place) && !hasBit(sent, place)) broken.push(about(row, 'L4 what was received was sent'));
    if (status[place] === placeStatus.sent && !hasBit(sent, place))
      broken.push(about(row, 'L4 a place that is sent has its sent bit'));
  }
  if (row.state === 'closed' && status.some(isOpen)) broken.push(about(row, 'L7 a closed slice has no open place'));
  return broken;
}

/** What no commit may do to a row: L5, and L6 for a write that says under which epoch it was decided. */
export function brokenByChange(before: SliceRow, after: SliceRow, writersEpoch?: number): string[] {
  const broken: string[] = [];
  if (clears(before.sent, after.sent) || clears(before.received, after.received))
    broken.push(about(after, 'L5 bits never clear'));
  if (after.epoch < before.epoch) broken.push(about(after, 'L5 epochs never fall'));
  if (writersEpoch !== undefined && writersEpoch !== before.epoch)
    broken.push(about(after, 'L6 no worker writes without its epoch'));
  if (writersEpoch === undefined && after.epoch === before.epoch && !before.status.equals(after.status))
    broken.push(about(after, 'L6 only a holder writes statuses'));
  for (let place = 0; place < before.n; place++) {
    const was = before.status[place] as number;
    const is = after.status[place] as number;
    // A place that fell back may wait on the own channel again when no vendor is left (the end of a vendor chain).
    const returns = was === placeStatus.fellBack && is === placeStatus.waiting && after.epoch > before.epoch;
    if (!isOpen(was) && was !== is && !returns) broken.push(about(after, 'L5 a final place stays what it is'));
  }
  return broken;
}

/** L2, L7 and L10 over all slices, and L8 is for whoever serves the counts. */
export interface LedgerView {
  readonly tasks: readonly { readonly taskId: bigint; readonly appId: string; readonly finished: boolean }[];
  readonly slices: readonly SliceRow[];
  readonly undoneExpansions: ReadonlySet<bigint>;
  readonly appOfDevice: (deviceId: bigint) => string | undefined;
}

export function brokenByLedger({ tasks, slices, undoneExpansions, appOfDevice }: LedgerView): string[] {
  const broken: string[] = [];
  const byTask = new Map(tasks.map((task) => [task.taskId, task]));
  const places = new Set<string>();
  for (const row of slices) {
    const task = byTask.get(row.taskId);
    if (!task || task.appId !== row.appId) broken.push(about(row, "L10 a slice's app is its task's"));
    if (task?.finished && row.state !== 'closed') broken.push(about(row, 'L7 a finished task has no open slice'));
    for (const deviceId of row.deviceIds) {
      const place = `${row.taskId}.${row.channel}.${deviceId}`;
      if (places.has(place)) broken.push(about(row, 'L2 within a task and channel a device has one place'));
      places.add(place);
      if (appOfDevice(deviceId) !== row.appId) broken.push(about(row, "L10 a slice's app is its devices'"));
    }
  }
  for (const { taskId, finished } of tasks)
    if (finished && undoneExpansions.has(taskId)) broken.push(`L7 a finished task has no undone expansion: ${taskId}`);
  return broken;
}

/** How many bits are set: every counter is such a sum over rows. */
export const countBits = (bits: Bits): number => bits.length - bits.replaceAll('1', '').length;

function clears(before: Bits, after: Bits): boolean {
  for (let place = 0; place < before.length; place++) if (hasBit(before, place) && !hasBit(after, place)) return true;
  return false;
}

const about = (row: SliceRow, law: string): string => `${law}: ${sliceKeyText(row)}`;
