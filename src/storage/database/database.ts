import { createHash } from 'node:crypto';
import pg from 'pg';
import { SHARDS } from '#src/domain/task.ts';
import type { Log } from '#src/foundation/log.ts';
import { SettingsError } from '#src/foundation/settings.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { storageMetrics } from '../metrics.ts';

interface Database {
  /** Asks one question, planned with its real parameters: only so are partitions pruned. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Asks a short question that is asked often, and that reads no partitioned table: its plan is kept with the connection. */
  queryPrepared<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]>;
}

/** Apps, people, tasks: everything that is not a device's. */
export interface HomeDb extends Database {
  readonly kind: 'home';
}

/** Devices and the ledger of a range of shards. */
export interface ShardDb extends Database {
  readonly kind: 'shards';
}

export interface Storage {
  readonly home: HomeDb;
  readonly shards: Shards;
  close(): Promise<void>;
}

export interface Shards {
  /** Every shard database once. */
  readonly all: readonly ShardDb[];
  dbFor(shard: number): ShardDb;
}

/** One transaction in one database. No transaction spans two, and the types see to it that none is mixed up. */
export function inTransaction<D extends HomeDb | ShardDb, T>(db: D, work: (db: D) => Promise<T>): Promise<T> {
  if (!(db instanceof PooledDatabase)) throw new Error('This is a transaction already.');
  return db.transaction(work as (db: Database) => Promise<T>);
}

/**
 * A connection of its own that does not wait long for a lock, for statements that cannot be inside a transaction. A setting
 * of a shared connection would stay with it, and behind PgBouncer reach others.
 */
export function withLockLimit<T>(
  db: HomeDb | ShardDb,
  lockMs: number,
  work: (query: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (!(db instanceof PooledDatabase)) throw new Error('This is a transaction already.');
  return db.withDedicatedClient(lockMs, work);
}

/**
 * In the `from` of a statement: it does not wait for the disk. Only for what is done again if a crash of the server takes
 * it back, and never for a claim or for what is said before a call.
 */
export const ASYNC_COMMIT = "set_config('synchronous_commit', 'off', true)";

/** Splits items by the database their shard is in. */
export function byDatabase<T>(shards: Shards, items: Iterable<T>, shardOf: (item: T) => number): Map<ShardDb, T[]> {
  return Map.groupBy(items, (item) => shards.dbFor(shardOf(item)));
}

interface StorageOptions {
  readonly settings: {
    readonly CARILLON_DATABASE_URL: string;
    readonly CARILLON_SHARD_DATABASES: string;
    readonly CARILLON_DATABASE_QUERY_SECONDS_MAX: number;
  };
  /** Connections to each server. */
  readonly connections: number;
  readonly log: Log;
}

export function openStorage({ settings, connections, log }: StorageOptions): Storage {
  const pools = new Map<string, pg.Pool>();
  const poolOf = (url: string) => {
    let pool = pools.get(url);
    if (!pool) {
      pool = openPool(url, connections, settings.CARILLON_DATABASE_QUERY_SECONDS_MAX * 1_000, log);
      pools.set(url, pool);
    }
    return pool;
  };
  const urls = shardUrls(settings.CARILLON_DATABASE_URL, settings.CARILLON_SHARD_DATABASES);
  const databases = new Map([...new Set(urls)].map((url) => [url, new PooledDatabase('shards', poolOf(url))]));
  const byShard = urls.map((url) => databases.get(url) as ShardDb);
  return {
    home: new PooledDatabase('home', poolOf(settings.CARILLON_DATABASE_URL)),
    shards: { all: [...databases.values()], dbFor: (shard) => byShard[shard] as ShardDb },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

/** The URL of each of the 64 shards. */
export function shardUrls(homeUrl: string, shardDatabases: string): string[] {
  const entries = shardDatabases.split(/\s+/).filter(Boolean);
  const urls = new Array<string | undefined>(SHARDS).fill(entries.length === 0 ? homeUrl : undefined);
  for (const entry of entries) {
    const match = /^(\d+)-(\d+)=(.+)$/.exec(entry);
    if (!match) throw new SettingsError(['CARILLON_SHARD_DATABASES is written `0-31=postgres://… 32-63=postgres://…`']);
    urls.fill(match[3], Number(match[1]), Number(match[2]) + 1);
  }
  const missing = urls.indexOf(undefined);
  if (missing >= 0)
    throw new SettingsError([
      `CARILLON_SHARD_DATABASES must name a database for each of the shards 0 to 63; ${missing} has none`,
    ]);
  return urls as string[];
}

class PooledDatabase<H extends 'home' | 'shards'> {
  readonly kind: H;
  readonly #pool: pg.Pool;

  constructor(kind: H, pool: pg.Pool) {
    this.kind = kind;
    this.#pool = pool;
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#withClient((client) => this.#runQuery<Row>(client, { text, values }));
  }

  async queryPrepared<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#withClient((client) => this.#runQuery<Row>(client, { name: statementName(text), text, values }));
  }

  async transaction<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return this.#withClient(async (client) => {
      const db = {
        kind: this.kind,
        query: <Row extends object>(text: string, values: readonly unknown[] = []) =>
          this.#runQuery<Row>(client, { text, values }),
        queryPrepared: <Row extends object>(text: string, values: readonly unknown[]) =>
          this.#runQuery<Row>(client, { name: statementName(text), text, values }),
      };
      await client.query('begin');
      try {
        const result = await work(db);
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => undefined);
        throw error;
      }
    });
  }

  async withDedicatedClient<T>(
    lockMs: number,
    work: (query: (text: string) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const client = new pg.Client({ ...this.#pool.options, lock_timeout: lockMs });
    client.on('error', () => undefined); // What fails the question is told there.
    try {
      await client.connect();
      return await work(async (text) => void (await client.query(text)));
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (cause) {
      storageMetrics.errors.inc({ database: this.kind, reason: 'unavailable' });
      throw new Unavailable('PostgreSQL cannot be reached.', { cause });
    }
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // A refused statement leaves the connection good; anything else leaves it in a state nobody knows.
      const connectionUsable = error instanceof pg.DatabaseError && !isServerUnavailable(error);
      client.release(!connectionUsable);
      const fromDriver = error instanceof Error && !(error instanceof pg.DatabaseError) && isConnectionLoss(error);
      const reason = fromDriver ? 'unavailable' : classifyFailure(error);
      if (reason) storageMetrics.errors.inc({ database: this.kind, reason });
      if (reason === 'unavailable') throw new Unavailable('PostgreSQL went away during a question.', { cause: error });
      throw error;
    }
  }

  async #runQuery<Row extends object>(client: pg.PoolClient, { values, ...statement }: Statement): Promise<Row[]> {
    const beganMs = performance.now();
    const { rows } = await client.query<Row>({ ...statement, values: [...values] });
    storageMetrics.querySeconds.observeSince(beganMs, this.kind);
    return rows;
  }
}

interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

const statementNames = new Map<string, string>();

/** A statement is named after its text: the same in every process, so that PgBouncer shares what it prepared. */
function statementName(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    statementNames.set(text, name);
  }
  return name;
}

/** A statement failed on what was in it (classes 22 and 23): it wrote nothing, and others may do better. */
export function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
}

/**
 * A statement met another one: it waited too long for a lock (55P03) or altogether (57014), would have waited for ever
 * (40P01), or found that the other was there first (55000, 42P01).
 */
export function isContentionError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(55P03|57014|40P01|55000|42P01)$/.test(error.code ?? '');
}

/**
 * A statement that was good, at a moment that was not: it waited too long (55P03, 57014), was in the way of another (40P01),
 * or the server had no room for it (class 53, as a full disk). Asked again it may succeed.
 */
export function isTransientError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(55P03|57014|40P01|53...)$/.test(error.code ?? '');
}

/** The unique index that a statement ran into, if that is why it failed. */
export function violatedIndex(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined;
}

/** Whether a statement failed because a row that it names is not there. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503';
}

const UNDEFINED_TABLE = '42P01';

/** What PostgreSQL's refusal is counted as. Undefined: it was not PostgreSQL that failed. */
function classifyFailure(error: unknown): 'unavailable' | 'refused' | 'busy' | 'failed' | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  if (isServerUnavailable(error)) return 'unavailable';
  if (isDataError(error)) return 'refused';
  // A table that is not there is more often a forgotten migration than a day that is just being dropped.
  return isContentionError(error) && error.code !== UNDEFINED_TABLE ? 'busy' : 'failed';
}

/** Class 08: connection; 57P0x: the server stops or starts; 53300: no connection left; 25006: now a standby. */
function isServerUnavailable(error: pg.DatabaseError): boolean {
  return /^(08|57P0|53300|25006)/.test(error.code ?? '');
}

function isConnectionLoss(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return (
    (code !== undefined && /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_)/.test(code)) ||
    /Connection terminated|Query read timeout|not queryable|Client has encountered a connection error/i.test(
      error.message,
    )
  );
}

const BIGINT = 20;
const BIGINT_ARRAY = 1016;

/** int64 everywhere: a bigint column is a bigint here, and so is every count(*). */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === BIGINT) return BigInt;
    if (oid === BIGINT_ARRAY) return (text: string) => text.slice(1, -1).split(',').filter(Boolean).map(BigInt);
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

/** A transaction that lasts longer keeps finished work in the queue's index and slows every claim. */
const TRANSACTION_MS_MAX = 60_000;

function openPool(url: string, connections: number, queryMsMax: number, log: Log): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    types,
    application_name: 'carillon',
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    query_timeout: queryMsMax,
    statement_timeout: queryMsMax,
    idle_in_transaction_session_timeout: TRANSACTION_MS_MAX,
  });
  // A connection that breaks during a question fails that question and tells it here once more; unheard, it would end
  // the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // An idle connection that breaks is replaced at the next question.
  pool.on('error', (error) => log.warn('database-connection-lost', { error }));
  return pool;
}
