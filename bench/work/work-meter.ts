import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { createLog } from '#src/foundation/log.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import type { Carillon } from '../../test/support/carillon.ts';
import { cpuSecondsOf, postgresCpuSeconds } from '../cpu-seconds.ts';
import { type MeasuredWork, subtractIdle, subtractWork, type Work } from './work.ts';

/** A separate database role, so that the statements of the meter and of the bench are not counted. */
const METER_ROLE = 'work_meter';
/** Part of the last query of a worker's sweep. */
const SWEEP_QUERY = '%as "inMs"%';
/** The longest time that the statements after `SWEEP_QUERY` need. Much shorter than the second between two sweeps. */
const SWEEP_END_MS = 150;
const IDLE_SECONDS = 5;
const POLL_MS = 20;
const AWAIT_SECONDS_MAX = 120;

export async function startWorkMeter(carillon: Carillon): Promise<WorkMeter> {
  const { CARILLON_DATABASE_URL: homeUrl = '', CARILLON_SHARD_DATABASES: shardUrls = '' } = carillon.settings;
  const { username, password } = new URL(homeUrl);
  const { home } = carillon.storage;
  await home.query(`create role ${METER_ROLE} superuser login password '${password}'`);
  await home.query('create extension pg_stat_statements');
  const withMeterRole = (urls: string) => urls.replaceAll(`//${username}:`, `//${METER_ROLE}:`);
  const storage = await openStorage({
    settings: {
      CARILLON_DATABASE_URL: withMeterRole(homeUrl),
      CARILLON_SHARD_DATABASES: withMeterRole(shardUrls),
      CARILLON_DATABASE_QUERY_SECONDS_MAX: 10,
    },
    connections: 4,
    log: createLog({ level: 'error', fields: { role: 'bench' } }),
  });
  return new WorkMeter(carillon, storage);
}

/** Measures the work that a running service does in a period. */
export class WorkMeter implements AsyncDisposable {
  /** The databases of the service. Statements on these connections are not counted, except for their commits and WAL. */
  readonly storage: Storage;
  /** The work of all `measure` calls. */
  readonly measured: MeasuredWork[] = [];
  readonly #carillon: Carillon;

  constructor(carillon: Carillon, storage: Storage) {
    this.#carillon = carillon;
    this.storage = storage;
  }

  /**
   * Records the work of `run` without the work of an idle service in the same time. `countsOf` returns how many units
   * the run processed. Returns the result of `run`.
   */
  async measure<T>(
    name: string,
    countsOf: (result: T) => Readonly<Record<string, number>>,
    run: () => Promise<T>,
  ): Promise<T> {
    const { work: idle } = await this.observe(() => sleep(IDLE_SECONDS * 1_000));
    const { work, result } = await this.observe(run);
    this.measured.push({ name, work: subtractIdle(work, idle), counts: countsOf(result) });
    return result;
  }

  /**
   * Returns the work of all processes while `run` was running. If a worker is running, the period starts and ends
   * immediately after a sweep. Otherwise a period could contain one sweep more than another of the same length.
   */
  async observe<T>(run: () => Promise<T>): Promise<{ readonly work: Work; readonly result: T }> {
    // Subscribed only during the measurement, because a subscriber to every subject hides that a gateway is absent.
    const nats = await connect({ servers: (this.#carillon.settings.CARILLON_NATS_URLS as string).split(',') });
    let natsMessages = 0;
    nats.subscribe('>', { callback: () => void natsMessages++ });
    try {
      await nats.flush();
      await this.#awaitSweep();
      const natsMessagesBefore = natsMessages;
      const before = await this.#read();
      const result = await run();
      await this.#awaitSweep();
      const after = await this.#read();
      await nats.flush();
      return { work: { ...subtractWork(after, before), natsMessages: natsMessages - natsMessagesBefore }, result };
    } finally {
      await nats.close();
    }
  }

  /** Waits until a service with running workers has finished all tasks. */
  async awaitFinishedTasks(): Promise<void> {
    await poll('All tasks are finished', async () => {
      const open = await this.storage.home.query(`select from tasks where state <> 'finished' limit 1`);
      return open.length === 0;
    });
  }

  /** Waits until PostgreSQL responds again. */
  async awaitDatabases(): Promise<void> {
    const databases = [this.storage.home, ...this.storage.shards.all];
    await poll('PostgreSQL responds', () =>
      Promise.all(databases.map((db) => db.query('select'))).then(
        () => true,
        () => false,
      ),
    );
  }

  /** Waits until this many phones have a notification of the task in their inbox. */
  async awaitInboxRows(taskId: bigint, count: number): Promise<void> {
    await poll(`${count} notifications are in inboxes`, async () => {
      const { all } = this.storage.shards;
      const rows = await Promise.all(all.map((db) => db.query('select from inbox where task_id = $1', [taskId])));
      return rows.flat().length === count;
    });
  }

  /** Waits for the next execution of a statement whose text matches the pattern. */
  async awaitStatement(pattern: string): Promise<void> {
    const countCalls = async () => {
      const [row] = await this.storage.home.query<{ calls: number }>(
        `select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
          where query like $1 and userid <> current_user::regrole`,
        [pattern],
      );
      return row?.calls ?? 0;
    };
    const before = await countCalls();
    await poll(`A statement like ${pattern} is executed`, async () => (await countCalls()) > before);
  }

  /** Returns how often each statement was executed since the start of PostgreSQL. */
  async readStatementCalls(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.storage.home.query<{ query: string; calls: number }>(
      `select query, sum(calls)::float8 as calls from pg_stat_statements
        where userid <> current_user::regrole
        group by query`,
    );
    return new Map(rows.map(({ query, calls }) => [query, calls]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.storage.close();
  }

  async #awaitSweep(): Promise<void> {
    if (!this.#carillon.workers.some(({ isAlive }) => isAlive)) return;
    await this.awaitStatement(SWEEP_QUERY);
    await sleep(SWEEP_END_MS);
  }

  async #read(): Promise<Work> {
    const { apis, gateways, workers } = this.#carillon;
    const [row] = await this.storage.home.query<DatabaseWork>(
      `select (select coalesce(sum(calls), 0) from pg_stat_statements
                where userid <> current_user::regrole)::float8 as statements,
              pg_snapshot_xmax(pg_current_snapshot())::text::float8 as commits,
              (pg_current_wal_insert_lsn() - '0/0')::float8 as "walBytes",
              (select array_agg(pid) from pg_stat_activity where usename = current_user) as "meterPids"`,
    );
    const { meterPids, ...databaseWork } = row as DatabaseWork;
    return {
      ...databaseWork,
      seconds: performance.now() / 1_000,
      natsMessages: 0,
      postgresCpuSeconds: await postgresCpuSeconds(this.storage, meterPids),
      apiCpuSeconds: await cpuSecondsOfAll(apis),
      gatewayCpuSeconds: await cpuSecondsOfAll(gateways),
      workerCpuSeconds: await cpuSecondsOfAll(workers),
    };
  }
}

interface DatabaseWork {
  readonly statements: number;
  readonly commits: number;
  readonly walBytes: number;
  readonly meterPids: readonly number[];
}

async function cpuSecondsOfAll(processes: readonly RoleProcess[]): Promise<number> {
  const seconds = await Promise.all(processes.map(({ pid }) => cpuSecondsOf(pid)));
  return seconds.reduce((sum, value) => sum + value, 0);
}

async function poll(condition: string, isMet: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + AWAIT_SECONDS_MAX * 1_000;
  while (!(await isMet())) {
    if (performance.now() > deadline) throw new Error(`${condition}: not within ${AWAIT_SECONDS_MAX} s.`);
    await sleep(POLL_MS);
  }
}
