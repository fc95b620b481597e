import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerPool, ShardDb } from '#src/storage/database/database.ts';
import { randomFrom } from '../simulation/environment/random.ts';
import { type AlterStatement, ControlledConnection } from './controlled-connection.ts';
import { devices, resetRows } from './fixture.ts';
import { type OperationName, operationNames, pickOperation } from './operations.ts';
import { Oracle } from './oracle.ts';

const OPERATIONS_MAX = 5;
const TURNS_MAX = 500;
/** Maximum time for a statement to be executed or to wait for a lock. */
const STATEMENT_MS_MAX = 10_000;
const POLL_MS = 2;

export interface Schedule {
  readonly seed: number;
  /** Changes statements, to plant a defect. */
  readonly alter?: AlterStatement;
  /** The operations to choose from. By default all. */
  readonly only?: readonly OperationName[];
}

/** The operations of a schedule, and how often they met. */
export interface ScheduleReport {
  readonly operations: readonly string[];
  /** The number of times that a statement waited for a lock. */
  readonly waits: number;
}

/** Thrown if PostgreSQL and the models differ, or if a statement fails. */
export class Violation extends Error {}

/**
 * Runs random operations on two to four connections. After each statement, it picks the connection that continues.
 *
 * @param server Its pool must allow four connections. `observer` uses another one.
 */
export async function runSchedule(
  { seed, alter = (text) => text, only = operationNames }: Schedule,
  server: ServerPool,
  observer: ShardDb,
): Promise<ScheduleReport> {
  const random = randomFrom(seed);
  const work = await resetRows(observer);
  const oracle = await Oracle.start(observer, devices);
  const trace: string[] = [];
  const operations: string[] = [];
  let changed = Promise.withResolvers<void>();
  let failure: { readonly error: unknown } | undefined;
  const onChange = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const clients = await Promise.all(Array.from({ length: random.between(2, 4) }, () => server.pool.connect()));
  const connections = await Promise.all(
    clients.map(async (client, i) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const { pid } = rows[0] as { pid: number };
      const options = { name: `connection ${i + 1}`, client, pid, server, oracle, observer, alter, trace };
      return new ControlledConnection(options, onChange);
    }),
  );
  const running = connections.map(async (connection) => {
    for (let i = random.between(2, OPERATIONS_MAX); i > 0; i--) {
      const operation = pickOperation(random, work, only);
      operations.push(operation.name);
      await connection.perform(operation);
    }
  });
  for (const script of running)
    script.catch((error: unknown) => {
      failure ??= { error };
      onChange();
    });

  let waits = 0;
  try {
    for (let turn = 0; ; turn++) {
      const blocked = await untilSettled();
      if (failure) throw failure.error;
      waits += blocked > 0 ? 1 : 0;
      const ready = connections.filter(({ state }) => state === 'ready');
      if (ready.length === 0 && blocked === 0) break;
      if (turn >= TURNS_MAX) throw new Error('The schedule does not end.');
      if (ready.length > 0) random.pick(ready).takeTurn();
      else await Promise.race([changed.promise, sleep(STATEMENT_MS_MAX, undefined, { ref: false })]); // a deadlock
    }
    for (const client of clients) client.release();
  } catch (error) {
    for (const client of clients) client.release(true); // ends its transaction
    const cause = error as Error;
    throw new Violation(`Schedule ${seed}: ${cause.message}\n${trace.map((line) => `  ${line}`).join('\n')}`, {
      cause,
    });
  }
  return { operations, waits };

  /** Waits until each connection is ready, has ended or waits for a lock. Returns the number that wait for a lock. */
  async function untilSettled(): Promise<number> {
    const deadline = performance.now() + STATEMENT_MS_MAX;
    for (;;) {
      await Promise.race([changed.promise, sleep(POLL_MS)]);
      await new Promise(setImmediate); // an operation that has ended starts the next one
      const busy = connections.filter(({ state }) => state === 'running');
      if (busy.length === 0 || failure) return 0;
      const waiting = await observer.queryPrepared<{ pid: number }>(
        'select pid from unnest($1::int[]) as pid where cardinality(pg_blocking_pids(pid)) > 0',
        [busy.map(({ pid }) => pid)],
      );
      const isBusy = ({ state, pid }: ControlledConnection) =>
        state === 'running' && !waiting.some((row) => row.pid === pid);
      if (!connections.some(isBusy) && waiting.length === busy.length) return waiting.length;
      if (performance.now() > deadline) throw new Error('A statement takes too long.');
    }
  }
}
