import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BucketRange } from '#src/domain/bucket.ts';
import type { Log } from '#src/foundation/log.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { storageMetrics } from '../metrics.ts';
import { Availability } from './availability.ts';
import { connectionOptions } from './connection-options.ts';

interface Database {
  /** False while the server does not respond. Every query then fails immediately with `Unavailable`. */
  readonly isAvailable: boolean;
  /** True if the server has not responded for a moment although queries are waiting. It may only be slow. */
  readonly isSilent: boolean;
  /** Runs a query that is planned with its actual parameters. Partition pruning requires this. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs a short, frequent query that reads no partitioned table. Its plan is cached with the connection. */
  queryPrepared<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]>;
}

/** Apps, users, tasks and everything else that does not belong to a device. */
export interface HomeDb extends Database {
  readonly kind: 'home';
}

/** Devices and the ledger of some of the buckets. */
export interface ShardDb extends Database {
  readonly kind: 'shards';
}

export interface Storage {
  readonly home: HomeDb;
  readonly shards: Shards;
  /** Reads the bucket map again if its version has changed. */
  refreshBucketMap(): Promise<void>;
  /** Opens the same databases with separate connections. The bucket map is shared. */
  openSeparately(changes: {
    readonly settings: { readonly CARILLON_DATABASE_QUERY_SECONDS_MAX: number };
    readonly connections: number;
  }): Storage;
  close(): Promise<void>;
}

/** The shard databases, according to the bucket map. */
export interface Shards {
  /** All databases that have a bucket, without duplicates. */
  readonly all: readonly ShardDb[];
  dbFor(bucket: number): ShardDb;
  /** Returns the name of a database in the bucket map. */
  nameOf(db: ShardDb): string;
  /** Returns the ranges of buckets that a database has. */
  rangesOf(db: ShardDb): readonly BucketRange[];
}

/**
 * Runs one transaction in one database. No transaction spans two databases, and the types keep home and shard databases
 * apart.
 */
export function inTransaction<D extends HomeDb | ShardDb, T>(db: D, work: (db: D) => Promise<T>): Promise<T> {
  if (!(db instanceof PooledDatabase)) throw new Error('Transactions cannot be nested.');
  return db.transaction(work as (db: Database) => Promise<T>);
}

/**
 * Runs statements that cannot be inside a transaction on a separate connection with a lock timeout. On a shared
 * connection the setting would persist and, behind PgBouncer, affect other clients.
 */
export function withLockLimit<T>(
  db: HomeDb | ShardDb,
  lockMs: number,
  work: (query: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (!(db instanceof PooledDatabase)) throw new Error('withLockLimit cannot be used inside a transaction.');
  return db.withDedicatedClient(lockMs, work);
}

/**
 * Used in the `from` clause of a statement, so that its commit does not wait for the disk. Use it only for writes that
 * are repeated if a server crash undoes them. Never use it for a claim, or for a write that must precede a call.
 */
export const ASYNC_COMMIT = "set_config('synchronous_commit', 'off', true)";

/** Groups items by the database of their bucket. */
export function byDatabase<T>(shards: Shards, items: Iterable<T>, bucketOf: (item: T) => number): Map<ShardDb, T[]> {
  return Map.groupBy(items, (item) => shards.dbFor(bucketOf(item)));
}

export class PooledDatabase<H extends 'home' | 'shards'> {
  readonly kind: H;
  readonly #pool: pg.Pool;
  readonly #availability: Availability;

  constructor(kind: H, { pool, availability }: ServerPool) {
    this.kind = kind;
    this.#pool = pool;
    this.#availability = availability;
  }

  get isAvailable(): boolean {
    return this.#availability.isAvailable;
  }

  get isSilent(): boolean {
    return this.#availability.isSilent;
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
        isAvailable: true,
        isSilent: false,
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
    client.on('error', () => undefined); // The failing query throws the same error.
    try {
      await client.connect();
      return await work(async (text) => void (await client.query(text)));
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => undefined);
    const operation = this.#beginOperation((error) => aborted.reject(error));
    let client: pg.PoolClient;
    try {
      client = await this.#connect(aborted.promise);
    } catch (cause) {
      // All connections of the pool are in use, or the server cannot be reached.
      this.#availability.end(operation, true);
      storageMetrics.errors.inc({ database: this.kind, reason: 'unavailable' });
      throw new Unavailable('PostgreSQL cannot be reached.', { cause });
    }
    let isUnavailable = false;
    try {
      const result = await Promise.race([work(client), aborted.promise]);
      client.release();
      return result;
    } catch (error) {
      // After a rejected statement the connection is still usable. After any other error its state is unknown.
      const connectionUsable = error instanceof pg.DatabaseError && !isServerUnavailable(error);
      client.release(!connectionUsable);
      const fromDriver = error instanceof Error && !(error instanceof pg.DatabaseError) && isConnectionLoss(error);
      const reason = fromDriver || error instanceof Unavailable ? 'unavailable' : classifyFailure(error);
      if (reason) storageMetrics.errors.inc({ database: this.kind, reason });
      isUnavailable = reason === 'unavailable';
      if (isUnavailable) throw new Unavailable('PostgreSQL became unavailable during a query.', { cause: error });
      throw error;
    } finally {
      this.#availability.end(operation, isUnavailable);
    }
  }

  #beginOperation(abort: (error: Unavailable) => void) {
    try {
      return this.#availability.begin(abort);
    } catch (error) {
      storageMetrics.errors.inc({ database: this.kind, reason: 'unavailable' });
      throw error;
    }
  }

  /** Takes a connection from the pool. A connection that is no longer wanted is returned to it. */
  async #connect(aborted: Promise<never>): Promise<pg.PoolClient> {
    const connecting = this.#pool.connect();
    try {
      return await Promise.race([connecting, aborted]);
    } catch (error) {
      connecting.then((client) => client.release(true)).catch(() => undefined);
      throw error;
    }
  }

  async #runQuery<Row extends object>(client: pg.PoolClient, { values, ...statement }: Statement): Promise<Row[]> {
    const beganMs = performance.now();
    const { rows } = await client.query<Row>({ ...statement, values: [...values] });
    this.#availability.recordResponse();
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

/**
 * Returns a name derived from a statement's text. It is the same in every process, so that PgBouncer can share prepared
 * statements.
 */
function statementName(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    statementNames.set(text, name);
  }
  return name;
}

/**
 * Returns whether a statement failed because of its data (classes 22 and 23). It wrote nothing, and other statements
 * may succeed.
 */
export function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
}

/**
 * Returns whether a statement conflicted with another one. It exceeded the lock timeout (55P03) or the statement
 * timeout (57014), was in a deadlock (40P01), or the other statement came first (55000, 42P01).
 */
export function isContentionError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(55P03|57014|40P01|55000|42P01)$/.test(error.code ?? '');
}

/** Returns whether a statement exceeded the lock timeout (55P03) or was in a deadlock (40P01). */
export function isLockConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(55P03|40P01)$/.test(error.code ?? '');
}

/**
 * Returns whether a valid statement failed for a temporary reason, so that a retry may succeed. The reason is a timeout
 * (55P03, 57014), a deadlock (40P01) or insufficient resources (class 53, such as a full disk).
 */
export function isTransientError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(55P03|57014|40P01|53...)$/.test(error.code ?? '');
}

/** Returns the unique index that a statement violated, or undefined if it failed for another reason. */
export function violatedIndex(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined;
}

/** Returns whether a statement failed because a row that it references does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503';
}

const UNDEFINED_TABLE = '42P01';

/** Returns the metric label of a PostgreSQL error, or undefined if the error did not come from PostgreSQL. */
function classifyFailure(error: unknown): 'unavailable' | 'refused' | 'busy' | 'failed' | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  if (isServerUnavailable(error)) return 'unavailable';
  if (isDataError(error)) return 'refused';
  // A missing table more often means a missing migration than a day that is being dropped.
  return isContentionError(error) && error.code !== UNDEFINED_TABLE ? 'busy' : 'failed';
}

/**
 * Returns whether the server is unavailable. Class 08: connection error. 57P0x: the server is stopping or starting.
 * 53300: no connection is left. 25006: the server has become a standby. 25P03: the transaction was idle for too long,
 * so the server has closed the connection.
 */
function isServerUnavailable(error: pg.DatabaseError): boolean {
  return /^(08|57P0|53300|25006|25P03)/.test(error.code ?? '');
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

/** Parses int64 columns, and therefore every count(*), as a JavaScript bigint. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === BIGINT) return BigInt;
    if (oid === BIGINT_ARRAY) return (text: string) => text.slice(1, -1).split(',').filter(Boolean).map(BigInt);
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

/**
 * Maximum idle time in a transaction, after which PostgreSQL ends the session. A process that was stopped in a
 * transaction keeps its locks. It also prevents PostgreSQL from removing finished work from the queue's index, which
 * slows down every claim.
 */
const TRANSACTION_IDLE_MS_MAX = 5_000;

/** Maximum time for each of the two steps of a probe: the connection and the query. */
const PROBE_MS_MAX = 1_500;

/** The connections to one server, and whether it responds. */
export interface ServerPool {
  readonly pool: pg.Pool;
  readonly availability: Availability;
  /** The open sockets of the pool, also of connections that it has given up. */
  readonly sockets: ReadonlySet<Socket>;
}

/** Time for the server to close its connections. A server that does not respond never closes them. */
const CLOSE_MS_MAX = 300;

/** Closes all connections. Sockets that stay open would prevent the process from exiting. */
export async function closePool({ pool, availability, sockets }: ServerPool): Promise<void> {
  availability.close();
  const ended = pool.end(); // waits for queries that are still running
  const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  await Promise.race([Promise.all([ended, ...closed]), sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
  for (const socket of sockets) socket.destroy();
  await ended;
}

export function openPool(url: string, connections: number, queryMsMax: number, log: Log): ServerPool {
  const { hostname, port } = new URL(url);
  const availability = new Availability({ probe: () => probe(url), server: `${hostname}:${port || 5432}`, log });
  const sockets = new Set<Socket>();
  const openSocket = () => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  const pool = new pg.Pool({
    ...connectionOptions(url),
    stream: openSocket,
    max: connections,
    types,
    application_name: 'carillon',
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    query_timeout: queryMsMax,
    statement_timeout: queryMsMax,
    idle_in_transaction_session_timeout: TRANSACTION_IDLE_MS_MAX,
  });
  // A connection that breaks during a query fails that query and also emits an error event on its client. Without a
  // listener, that event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // A broken idle connection is replaced by the next query.
  pool.on('error', (error) => log.warn('database-connection-lost', { error }));
  return { pool, availability, sockets };
}

/** Resolves if the server responds on a new connection, even if it rejects the connection for lack of resources. */
async function probe(url: string): Promise<void> {
  const client = new pg.Client({
    ...connectionOptions(url),
    application_name: 'carillon probe',
    connectionTimeoutMillis: PROBE_MS_MAX,
    query_timeout: PROBE_MS_MAX,
  });
  client.on('error', () => undefined); // The failing call throws the same error.
  try {
    await client.connect();
    await client.query(';'); // PgBouncer accepts a connection even if PostgreSQL does not respond.
  } catch (error) {
    const hasResponded = error instanceof pg.DatabaseError && !/^(57P0|08)/.test(error.code ?? '');
    if (!hasResponded) throw error;
  } finally {
    client.end().catch(() => undefined);
  }
}
