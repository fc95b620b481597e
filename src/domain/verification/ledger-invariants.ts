import { type Bits, hasBit, noBits } from '../bits.ts';
import type { SliceRow } from '../claim.ts';
import { isOpen, placeStatus, sliceKeyText } from '../slice.ts';

/**
 * The invariants of the ledger, checked on plain records. Each function returns the violated invariants, or an empty
 * list.
 */

/** Checks the invariants that can be checked on a single row: L3, L4 and part of L7. */
export function rowViolations(row: SliceRow): string[] {
  const { placeCount, status, sent, received, deviceIds, generations } = row;
  const clicked = row.clicked ?? noBits(placeCount);
  const lengths = [status, sent, received, clicked, deviceIds, generations].map(({ length }) => length);
  if (lengths.some((length) => length !== placeCount))
    return [describeViolation(row, 'L3 a slice has n statuses, n bits and n targets')];
  const violations: string[] = [];
  for (let place = 0; place < placeCount; place++) {
    if (hasBit(received, place) && !hasBit(sent, place))
      violations.push(describeViolation(row, 'L4 a received place is also sent'));
    if (hasBit(clicked, place) && !hasBit(received, place))
      violations.push(describeViolation(row, 'L4 a clicked place is also received'));
    if (status[place] === placeStatus.sent && !hasBit(sent, place))
      violations.push(describeViolation(row, 'L4 a place that is sent has its sent bit'));
  }
  if (row.state === 'closed' && status.some(isOpen))
    violations.push(describeViolation(row, 'L7 a closed slice has no open place'));
  return violations;
}

/**
 * Checks one change of a row: L5 and L6. `writerEpoch` is the epoch under which a holder decided its write, and is
 * absent for other changes.
 */
export function changeViolations(before: SliceRow, after: SliceRow, writerEpoch?: number): string[] {
  const violations: string[] = [];
  const clearsClicks = before.clicked !== null && clearsBits(before.clicked, after.clicked ?? noBits(after.placeCount));
  if (clearsBits(before.sent, after.sent) || clearsBits(before.received, after.received) || clearsClicks)
    violations.push(describeViolation(after, 'L5 bits are never cleared'));
  if (after.epoch < before.epoch) violations.push(describeViolation(after, 'L5 epochs never decrease'));
  if (writerEpoch !== undefined && writerEpoch !== before.epoch)
    violations.push(describeViolation(after, 'L6 no worker writes without its epoch'));
  if (writerEpoch === undefined && after.epoch === before.epoch && !before.status.equals(after.status))
    violations.push(describeViolation(after, 'L6 only a holder writes statuses'));
  for (let place = 0; place < before.placeCount; place++) {
    const statusBefore = before.status[place] as number;
    const statusAfter = after.status[place] as number;
    // A place that fell back may wait on the Carillon channel again if no vendor is left (the end of a vendor chain).
    const returnsToInbox =
      statusBefore === placeStatus.fellBack && statusAfter === placeStatus.waiting && after.epoch > before.epoch;
    if (!isOpen(statusBefore) && statusBefore !== statusAfter && !returnsToInbox)
      violations.push(describeViolation(after, 'L5 a final place never changes'));
  }
  return violations;
}

/** The data for L2, L7 and L10 over all slices. L8 is checked where the counts are computed. */
export interface LedgerView {
  readonly tasks: readonly { readonly taskId: bigint; readonly appId: string; readonly finished: boolean }[];
  readonly slices: readonly SliceRow[];
  readonly tasksWithOpenExpansions: ReadonlySet<bigint>;
  readonly appOfDevice: (deviceId: bigint) => string | undefined;
}

export function ledgerViolations({ tasks, slices, tasksWithOpenExpansions, appOfDevice }: LedgerView): string[] {
  const violations: string[] = [];
  const taskById = new Map(tasks.map((task) => [task.taskId, task]));
  const placeKeys = new Set<string>();
  for (const row of slices) {
    const task = taskById.get(row.taskId);
    if (!task || task.appId !== row.appId)
      violations.push(describeViolation(row, 'L10 a slice has the app of its task'));
    if (task?.finished && row.state !== 'closed')
      violations.push(describeViolation(row, 'L7 a finished task has no open slice'));
    for (const deviceId of row.deviceIds) {
      const placeKey = `${row.taskId}.${row.channel}.${deviceId}`;
      if (placeKeys.has(placeKey))
        violations.push(describeViolation(row, 'L2 within a task and channel a device has one place'));
      placeKeys.add(placeKey);
      if (appOfDevice(deviceId) !== row.appId)
        violations.push(describeViolation(row, 'L10 a slice has the app of its devices'));
    }
  }
  for (const { taskId, finished } of tasks)
    if (finished && tasksWithOpenExpansions.has(taskId))
      violations.push(`L7 a finished task has no unfinished expansion: ${taskId}`);
  return violations;
}

/** Returns the number of set bits. Every counter is a sum of these numbers over rows. */
export const countBits = (bits: Bits): number => bits.length - bits.replaceAll('1', '').length;

function clearsBits(before: Bits, after: Bits): boolean {
  for (let place = 0; place < before.length; place++) if (hasBit(before, place) && !hasBit(after, place)) return true;
  return false;
}

const describeViolation = (row: SliceRow, invariant: string): string => `${invariant}: ${sliceKeyText(row)}`;
