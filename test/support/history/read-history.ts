import assert from 'node:assert/strict';
import { repeat } from '#src/foundation/repeat.ts';
import { readApnsTally, readApnsTimes } from '../apns-tally.ts';
import type { CallOptions, Carillon } from '../carillon.ts';
import { checkHistory, describeHistory } from './check-history.ts';
import type { History, VendorDelivery } from './history.ts';

const READ_EVERY_MS = 1_000;
/** The latest tasks, whose counts still change. */
const TASKS_PER_READ = 200;
/** Limit of `/push/task/detail`. */
const TASKS_PER_CALL = 500;

/** Reads the counts of the latest tasks repeatedly. A read that fails during a fault is skipped. */
export function startReadingCounts(
  carillon: Carillon,
  history: History,
  as: CallOptions = {},
): { stop(): Promise<void> } {
  return repeat({
    pauseMs: READ_EVERY_MS,
    work: () =>
      readCounts(
        carillon,
        history,
        as,
        history.accepts.slice(-TASKS_PER_READ).map(({ taskId }) => taskId),
      ),
    onError: () => undefined,
  });
}

/** Adds the final state to a history, prints its size, and fails if it violates a rule. */
export async function assertHistory(carillon: Carillon, history: History, as: CallOptions = {}): Promise<void> {
  await completeHistory(carillon, history, as);
  assert.deepEqual(checkHistory(history), []);
}

/** Adds the final state to a history, and prints its size. */
export async function completeHistory(carillon: Carillon, history: History, as: CallOptions = {}): Promise<void> {
  const taskIds = history.accepts.map(({ taskId }) => taskId);
  for (let i = 0; i < taskIds.length; i += TASKS_PER_CALL)
    await readCounts(carillon, history, as, taskIds.slice(i, i + TASKS_PER_CALL));
  const finished = await carillon.storage.home.query<{ taskId: bigint }>(
    `select task_id as "taskId" from tasks where task_id = any($1) and state = 'finished'`,
    [taskIds],
  );
  for (const { taskId } of finished) history.finished.add(taskId);
  history.setVendorDeliveries(await readVendorDeliveries(carillon, new Set(taskIds)));
  console.log(`  history: ${describeHistory(history)}`);
}

async function readCounts(
  carillon: Carillon,
  history: History,
  as: CallOptions,
  list: readonly bigint[],
): Promise<void> {
  if (list.length === 0) return;
  const start = Date.now();
  const { data } = await carillon.post<Record<string, number>[]>('/push/task/detail', { list }, as);
  history.countsRead(data, start);
}

/** The simulator has no time for each token, so each token gets the times of its task. */
async function readVendorDeliveries(carillon: Carillon, taskIds: ReadonlySet<bigint>): Promise<VendorDelivery[]> {
  const [tally, times] = [await readApnsTally(carillon), await readApnsTimes(carillon)];
  return [...tally]
    .filter(([taskId]) => taskIds.has(taskId))
    .flatMap(([taskId, tokens]) => {
      const [start, end] = times.get(taskId) ?? assert.fail(`task ${taskId} has no times`);
      return [...tokens].map(([token, calls]) => ({ taskId, token, calls, start, end }));
    });
}
