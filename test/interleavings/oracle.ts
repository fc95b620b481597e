import assert from 'node:assert/strict';
import type { SliceRow } from '#src/domain/claim.ts';
import { sliceKeyText } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '#src/storage/database/database.ts';
import { SimulatedShard } from '../simulation/environment/simulated-shard.ts';
import { expansionKey } from '../simulation/storage/expansions.ts';
import {
  type DeviceRow,
  type ExpansionRow,
  homeRows,
  type SessionRow,
  shardRows,
  type TaskRow,
} from '../simulation/storage/rows.ts';
import { WITHIN_TEST } from './fixture.ts';

/** The part of an inbox row that identifies it. The rest is never changed. */
type InboxEntry = { readonly deviceId: bigint; readonly taskId: bigint; readonly generation: number };

/** The rows that operations change, by table and key. Rows are replaced, never modified. */
export interface Tables {
  readonly slices: Map<string, SliceRow>;
  readonly expansions: Map<string, ExpansionRow>;
  readonly tasks: Map<bigint, TaskRow>;
  readonly inbox: Map<string, InboxEntry>;
  readonly sessions: Map<bigint, SessionRow>;
}

export type TableName = keyof Tables;

const tableNames: readonly TableName[] = ['slices', 'expansions', 'tasks', 'inbox', 'sessions'];

/** A change of one row by a transaction. `undefined` deletes the row. */
type Changes = Map<TableName, Map<unknown, unknown>>;

/** The model of an open transaction. */
export interface OpenTransaction {
  /** The time of the transaction in PostgreSQL, in milliseconds. */
  readonly now: number;
  readonly changes: Changes;
}

/** The databases of the model, as a statement sees them. */
export interface ModelDatabases {
  readonly db: ShardDb;
  readonly home: HomeDb;
  /** Sets the number of the next slice. PostgreSQL takes it from a sequence. */
  setNextSlice(sliceNumber: number): void;
  readonly now: number;
}

/** Times of PostgreSQL and of the model differ by less than this because of rounding. */
const CLOSE_MS = 0.5;

/**
 * The in-memory models of the simulation, applied in the order of commits. A statement is evaluated when PostgreSQL has
 * executed it: it holds the locks of the rows that it changed, so these rows cannot change before its commit. Its
 * effects are applied with the commit, and all committed rows are then compared with those of PostgreSQL.
 */
export class Oracle {
  readonly committed: Tables;
  readonly #observer: ShardDb;
  readonly #devices: readonly DeviceRow[];
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(observer: ShardDb, devices: readonly DeviceRow[], rows: Tables) {
    this.#observer = observer;
    this.#devices = devices;
    this.committed = rows;
  }

  /** Starts with the rows that PostgreSQL has now. */
  static async start(observer: ShardDb, devices: readonly DeviceRow[]): Promise<Oracle> {
    return new Oracle(observer, devices, await readTables(observer));
  }

  /** Commits and evaluations follow each other, because a commit can resume a statement of another connection. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  /** Runs functions of the model on what a transaction sees, and adds their effects to its changes. */
  async evaluate({ now, changes }: OpenTransaction, work: (model: ModelDatabases) => Promise<void>): Promise<void> {
    const shard = new SimulatedShard();
    shard.scheduler.now = now;
    const tables: Tables = {
      slices: shard.database.slices,
      expansions: shardRows(shard.db).expansions,
      tasks: homeRows(shard.home).tasks,
      inbox: shardRows(shard.db).inbox as Map<string, never>,
      sessions: shardRows(shard.db).sessions,
    };
    for (const device of this.#devices) shardRows(shard.db).devices.set(device.deviceId, device);
    const before = new Map<TableName, Map<unknown, unknown>>();
    for (const name of tableNames) {
      const table = tables[name] as Map<unknown, unknown>;
      for (const [key, row] of this.committed[name]) table.set(key, row);
      applyChanges(table, changes.get(name));
      before.set(name, new Map(table));
    }
    for (const [key, { taskId }] of tables.slices) {
      const ofTask = shard.database.slicesOfTask.get(taskId) ?? new Set();
      shard.database.slicesOfTask.set(taskId, ofTask.add(key));
    }
    const setNextSlice = (sliceNumber: number) => {
      shardRows(shard.db).nextSlice = sliceNumber;
    };
    await shard.run(() => work({ db: shard.db, home: shard.home, setNextSlice, now }));
    for (const name of tableNames) addDifferences(changes, name, before.get(name), tables[name]);
  }

  /** Applies the changes of a transaction that PostgreSQL has committed, and compares all rows. */
  async commit({ changes }: OpenTransaction): Promise<void> {
    for (const name of tableNames) applyChanges(this.committed[name] as Map<unknown, unknown>, changes.get(name));
    const actual = await readTables(this.#observer);
    for (const name of tableNames) compareTables(name, actual[name], this.committed[name] as Map<unknown, object>);
    this.#checkFinishedTasks();
  }

  /** A finished task has no open work. */
  #checkFinishedTasks(): void {
    for (const [taskId, { state }] of this.committed.tasks) {
      if (state !== 'finished') continue;
      const openSlices = [...this.committed.slices.values()].filter(
        (row) => row.taskId === taskId && row.state !== 'closed',
      );
      const openExpansions = [...this.committed.expansions.values()].filter(
        (row) => row.taskId === taskId && row.state !== 'done',
      );
      assert.equal(openSlices.length + openExpansions.length, 0, `task ${taskId} is finished and has open work`);
    }
  }
}

const keyColumns = {
  slices: 'task_id, bucket, slice',
  expansions: 'task_id, bucket, after_id',
  tasks: 'task_id',
} as const;

/** A table of which statements skip locked rows. */
export type QueueName = keyof typeof keyColumns;

/** Returns the keys of rows that transactions have locked. */
export async function findLocked(observer: ShardDb, name: QueueName): Promise<ReadonlySet<string>> {
  const key = `concat_ws('.', ${keyColumns[name]})`;
  const rows = await observer.queryPrepared<{ key: string }>(
    `with unlocked as materialized (select ${key} as key from ${name} where ${WITHIN_TEST} for update skip locked)
     select ${key} as key from ${name} where ${WITHIN_TEST} and ${key} not in (select key from unlocked)`,
    [],
  );
  return new Set(rows.map((row) => row.key));
}

function applyChanges(table: Map<unknown, unknown>, changes: ReadonlyMap<unknown, unknown> | undefined): void {
  for (const [key, row] of changes ?? [])
    if (row === undefined) table.delete(key);
    else table.set(key, row);
}

function addDifferences(
  changes: Changes,
  name: TableName,
  before: ReadonlyMap<unknown, unknown> | undefined,
  after: ReadonlyMap<unknown, unknown>,
): void {
  const changed = changes.get(name) ?? new Map<unknown, unknown>();
  for (const key of new Set([...(before?.keys() ?? []), ...after.keys()]))
    if (before?.get(key) !== after.get(key)) changed.set(key, after.get(key));
  changes.set(name, changed);
}

/** Compares rows, and then takes over the times of PostgreSQL, so that rounding does not add up. */
function compareTables(name: TableName, actual: ReadonlyMap<unknown, object>, expected: Map<unknown, object>): void {
  assert.deepEqual([...actual.keys()].sort(), [...expected.keys()].sort(), `the rows of ${name}`);
  for (const [key, row] of actual) {
    const model = expected.get(key) as { readonly nextAt?: number };
    assert.deepEqual(comparable(row), comparable(model), `${name} ${key}`);
    const { nextAt } = row as { readonly nextAt?: number };
    if (nextAt === undefined) continue;
    const isClose = nextAt === model.nextAt || Math.abs(nextAt - (model.nextAt as number)) < CLOSE_MS;
    assert.ok(isClose, `${name} ${key}: due at ${nextAt} instead of ${model.nextAt}`);
    expected.set(key, { ...model, nextAt });
  }
}

/** Returns the columns of a row that are compared exactly. */
function comparable(row: object): object {
  const { nextAt: _nextAt, cancelledAt, task: _task, history: _history, ...rest } = row as Record<string, unknown>;
  if ('expiresAt' in rest) return { deviceId: rest.deviceId, taskId: rest.taskId, generation: rest.generation };
  return 'cancelledAt' in row ? { ...rest, isCancelled: cancelledAt !== null } : rest;
}

const MILLISECONDS = (column: string) => `extract(epoch from ${column})::float8 * 1000`;

/** Reads all rows. The databases of this test have only those of the current schedule. */
async function readTables(db: ShardDb): Promise<Tables> {
  const slices = await db.queryPrepared<SliceRow>(
    `select s.task_id as "taskId", s.bucket, s.slice as "sliceNumber", s.app_id as "appId", s.channel, s.lane,
            s.n as "placeCount", s.state, s.epoch, ${MILLISECONDS('s.next_at')} as "nextAt", s.attempts, s.cancelled,
            coalesce(s.failures, 0) as failures, s.tried, s.native_slice as "nativeSlice", s.status,
            s.sent::text as sent, s.received::text as received, s.clicked::text as clicked, t.device_ids as "deviceIds", t.generations, s.history,
            s.history_dropped as "historyDropped"
       from (select * from slices where ${WITHIN_TEST}) s
       join (select * from slice_targets where ${WITHIN_TEST}) t using (task_id, bucket, slice)`,
    [],
  );
  const expansions = await db.queryPrepared<ExpansionRow>(
    `select task_id as "taskId", bucket, after_id as "afterId", last_bucket as "lastBucket", last_id as "lastId",
            app_id as "appId", lane, state, epoch, ${MILLISECONDS('next_at')} as "nextAt", cancelled,
            coalesce(failures, 0) as failures
       from expansions`,
    [],
  );
  const tasks = await db.queryPrepared<Omit<TaskRow, 'task'> & Pick<Task, 'taskId' | 'appId' | 'lane' | 'dueAt'>>(
    `select task_id as "taskId", app_id as "appId", lane, due_at as "dueAt", by_range as "byRange", state, epoch,
            ${MILLISECONDS('next_at')} as "nextAt", ${MILLISECONDS('cancelled_at')} as "cancelledAt",
            coalesce(failures, 0) as failures
       from tasks
      where ${WITHIN_TEST}`,
    [],
  );
  const inbox = await db.queryPrepared<InboxEntry>(
    'select device_id as "deviceId", task_id as "taskId", generation from inbox',
    [],
  );
  const sessions = await db.queryPrepared<SessionRow & { readonly deviceId: bigint }>(
    `select device_id as "deviceId", gateway, epoch, generation, online,
            to_char(since at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as since
       from sessions`,
    [],
  );
  return {
    slices: new Map(slices.map((row) => [sliceKeyText(row), row])),
    expansions: new Map(expansions.map((row) => [expansionKey(row), row])),
    tasks: new Map(
      tasks.map(({ taskId, appId, lane, dueAt, ...row }) => [
        taskId,
        { ...row, task: { taskId, appId, lane, dueAt } as Task },
      ]),
    ),
    inbox: new Map(inbox.map((row) => [`${row.deviceId}.${row.taskId}`, row])),
    sessions: new Map(sessions.map(({ deviceId, ...row }) => [deviceId, row])),
  };
}
