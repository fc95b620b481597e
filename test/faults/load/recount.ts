import assert from 'node:assert/strict';
import { stringifyJson } from '#src/foundation/json.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { readApnsTally } from '../../support/apns-tally.ts';
import type { CallOptions, Carillon } from '../../support/carillon.ts';
import type { AcceptedTask, FaultRun } from './fault-run.ts';

const TASKS_PER_CALL = 500;

export interface Recount {
  readonly places: number;
  readonly lost: number;
  readonly countedTwice: number;
  readonly open: number;
  readonly repeats: number;
  /** Differences from the expected result, one sentence each. */
  readonly findings: readonly string[];
}

/** Three counters of a channel: target, sent, received. */
type CounterTriple = readonly [number, number, number];

/**
 * Counts everything again without the counters of the ledger, and compares each counter with the result. The APNs
 * simulator counts the accepted notifications, the phones count the received ones, and the target lists contain the
 * devices.
 */
export async function recount(carillon: Carillon, run: FaultRun, as: CallOptions): Promise<Recount> {
  const { accepted, fleet, phones } = run;
  const taskIds = accepted.map(({ taskId }) => taskId);
  const findings: string[] = [];
  let [lost, countedTwice, places] = [0, 0, 0];

  const distinct = new Set(taskIds).size;
  if (distinct !== taskIds.length) findings.push(`${taskIds.length} request ids created ${distinct} tasks`);
  const states = await readStates(carillon.storage, taskIds);
  const missing = taskIds.filter((taskId) => !states.has(taskId));
  lost += missing.length;
  const unfinished = [...states].flatMap(([taskId, state]) => (state === 'finished' ? [] : [taskId]));
  const open = unfinished.length;
  for (const taskId of unfinished.slice(0, 5)) findings.push(await describeOpen(carillon.storage, taskId));

  const counters = await readCounters(carillon, taskIds, as);
  const targets = await readTargets(carillon.storage, taskIds);
  const atApple = await readApnsTally(carillon);
  const onPhones = countOnPhones(run);
  let repeats = 0;

  for (const task of accepted) {
    const { taskId, to } = task;
    const tokens = atApple.get(taskId) ?? new Map<string, number>();
    for (const times of tokens.values()) repeats += times - 1;
    const received = onPhones.get(taskId) ?? 0;
    const target = targets.get(taskId);
    const expected = {
      apns: [target?.apns ?? 0, tokens.size, 0] as CounterTriple,
      nativepush: [target?.nativepush ?? 0, received, received] as CounterTriple,
    };
    const counted = counters.get(taskId);
    for (const channel of ['apns', 'nativepush'] as const) {
      const triple = counted?.[channel] ?? [0, 0, 0];
      places += triple[0];
      triple.forEach((count, i) => {
        countedTwice += Math.max(count - (expected[channel][i] as number), 0);
      });
      // If the worker of a cancelled task dies during a call, the task ends without the outcome of the call.
      const isUncertain = to === 'cancelled' && triple.every((count, i) => count <= (expected[channel][i] as number));
      if (triple.join() !== expected[channel].join() && !isUncertain)
        findings.push(`${taskId} (${to}) ${channel}: counted ${triple}, expected ${expected[channel]}`);
    }
    const missingDevices = findMissing(task, { tokens: tokens.size, received, meant: target?.devices ?? 0 });
    lost += missingDevices.lost;
    findings.push(...missingDevices.findings);
  }
  return { places, lost, countedTwice, open, repeats, findings: findings.slice(0, 20) };

  /** Checks that every device of the audience has a place, and that every reachable device was reached. */
  function findMissing(
    { taskId, to }: AcceptedTask,
    actual: { tokens: number; received: number; meant: number },
  ): { lost: number; findings: string[] } {
    const required = {
      everyone: { tokens: fleet.size - fleet.dead, received: phones.length, meant: fleet.size + phones.length },
      connected: { tokens: 0, received: 1, meant: 1 },
      apple: { tokens: 1, received: 0, meant: 1 },
      cancelled: undefined, // any number of its devices may have been reached
    }[to];
    if (!required) return { lost: 0, findings: [] };
    const wrong = (['tokens', 'received', 'meant'] as const).filter((what) => actual[what] !== required[what]);
    return {
      lost: Math.max(required.tokens - actual.tokens, 0) + Math.max(required.received - actual.received, 0),
      findings: wrong.map((what) => `${taskId} (${to}): ${what} ${actual[what]} instead of ${required[what]}`),
    };
  }
}

async function readStates({ home }: Storage, taskIds: readonly bigint[]): Promise<Map<bigint, string>> {
  const rows = await home.query<{ taskId: bigint; state: string }>(
    'select task_id as "taskId", state from tasks where task_id = any($1)',
    [taskIds],
  );
  return new Map(rows.map(({ taskId, state }) => [taskId, state]));
}

/**
 * Reads the counters from the API. All are checked, because a nonzero count on any other channel would be an error.
 */
async function readCounters(
  carillon: Carillon,
  taskIds: readonly bigint[],
  as: CallOptions,
): Promise<Map<bigint, { apns: CounterTriple; nativepush: CounterTriple }>> {
  const countersByTask = new Map<bigint, { apns: CounterTriple; nativepush: CounterTriple }>();
  for (let i = 0; i < taskIds.length; i += TASKS_PER_CALL) {
    const list = taskIds.slice(i, i + TASKS_PER_CALL);
    const { data } = await carillon.post<Record<string, number>[]>('/push/task/detail', { list }, as);
    for (const record of data) {
      const triple = (channel: string) =>
        ['target', 'sent', 'received'].map(
          (name) => record[`${channel}_${name}`] ?? Number.NaN,
        ) as unknown as CounterTriple;
      const others = Object.entries(record).filter(
        ([name, count]) => !/^(task_id|apns_|nativepush_)/.test(name) && count,
      );
      assert.deepEqual(others, []);
      countersByTask.set(BigInt(record.task_id as number), { apns: triple('apns'), nativepush: triple('nativepush') });
    }
  }
  return countersByTask;
}

interface Targets {
  readonly taskId: bigint;
  readonly apns: number;
  readonly nativepush: number;
  /** Number of devices, with or without a channel. */
  readonly devices: number;
}

/**
 * Counts the distinct devices of each task in the lists of targets. Each device is in one bucket, so no device is in two
 * databases.
 */
async function readTargets({ shards }: Storage, taskIds: readonly bigint[]): Promise<Map<bigint, Targets>> {
  const targetsByTask = new Map<bigint, Targets>();
  for (const db of shards.all) {
    const rows = await db.query<{ taskId: bigint; apns: bigint; nativepush: bigint; devices: bigint }>(
      `select s.task_id as "taskId", count(distinct d.device_id) as devices,
              count(distinct d.device_id) filter (where s.channel = 'apns') as apns,
              count(distinct d.device_id) filter (where s.channel = 'nativepush') as nativepush
         from slices s join slice_targets t using (task_id, bucket, slice), unnest(t.device_ids) as d (device_id)
        where s.task_id = any($1)
        group by 1`,
      [taskIds],
    );
    for (const row of rows) {
      const previous = targetsByTask.get(row.taskId) ?? { apns: 0, nativepush: 0, devices: 0 };
      targetsByTask.set(row.taskId, {
        taskId: row.taskId,
        apns: previous.apns + Number(row.apns),
        nativepush: previous.nativepush + Number(row.nativepush),
        devices: previous.devices + Number(row.devices),
      });
    }
  }
  return targetsByTask;
}

/** Returns the number of phones that received each task. */
function countOnPhones({ phones }: FaultRun): Map<bigint, number> {
  const counts = new Map<bigint, number>();
  for (const phone of phones)
    for (const taskId of new Set(phone.taskIds)) counts.set(BigInt(taskId), (counts.get(BigInt(taskId)) ?? 0) + 1);
  return counts;
}

/** Describes the rows of an unfinished task, to show why it is open. */
async function describeOpen({ home, shards }: Storage, taskId: bigint): Promise<string> {
  const task = await home.query(
    `select state, lane, epoch, by_range, cancelled_at, next_at - now() as due_in from tasks where task_id = $1`,
    [taskId],
  );
  const parts = await Promise.all(
    shards.all.flatMap((db) => [
      db.query(`select 'expansions' as of, state, count(*) from expansions where task_id = $1 group by state`, [
        taskId,
      ]),
      db.query(
        `select 'slices' as of, channel, state, encode(status, 'hex') as status, received::text, epoch, attempts, n,
                next_at - now() as due_in
           from slices where task_id = $1 and state <> 'closed' limit 5`,
        [taskId],
      ),
    ]),
  );
  return `${taskId} is open: ${stringifyJson([...task, ...parts.flat()])}`;
}
