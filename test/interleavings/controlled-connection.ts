import assert from 'node:assert/strict';
import type pg from 'pg';
import { type HomeDb, PooledDatabase, type ServerPool, type ShardDb } from '#src/storage/database/database.ts';
import type { Expectations, Operation } from './operation.ts';
import {
  findLocked,
  type ModelDatabases,
  type OpenTransaction,
  type Oracle,
  type QueueName,
  type Tables,
} from './oracle.ts';

/** The effects and results of one statement according to the models. */
export interface Expectation {
  /** A table of which the statement skips locked rows. */
  readonly skipsLockedOf?: QueueName;
  /** Runs the models and checks the rows that PostgreSQL returned. */
  check(model: ModelDatabases, executed: Executed): Promise<void>;
}

/** A statement that PostgreSQL has executed. */
export interface Executed {
  // biome-ignore lint/suspicious/noExplicitAny: rows of any statement.
  readonly rows: readonly any[];
  /** The rows that other transactions had locked when the statement began, if it skips locked rows. */
  readonly locked: ReadonlySet<string>;
  /** The committed rows when the statement began: its snapshot. */
  readonly snapshot: Tables;
}

interface RunningOperation {
  readonly name: string;
  readonly expectations: Expectations;
  /** The expectation of the next statement. */
  next: Expectation | undefined;
}

/** Changes the text of statements, to plant a defect. */
export type AlterStatement = (text: string) => string;

/**
 * A connection on which each statement waits for its turn. A statement outside a transaction is executed in one turn
 * and committed in another, so that statements of other connections run while its locks are held.
 */
export class ControlledConnection {
  readonly name: string;
  readonly pid: number;
  readonly db: ShardDb;
  readonly home: HomeDb;
  /** `ready`: waits for its turn. `running`: executes a statement, or waits for a lock. */
  state: 'idle' | 'ready' | 'running' = 'idle';
  readonly #client: pg.PoolClient;
  readonly #oracle: Oracle;
  readonly #observer: ShardDb;
  readonly #alter: AlterStatement;
  readonly #onChange: () => void;
  readonly #trace: string[];
  #resume: (() => void) | undefined;
  #transaction: OpenTransaction | undefined;
  #operation: RunningOperation | undefined;

  constructor(
    options: {
      readonly name: string;
      readonly client: pg.PoolClient;
      readonly pid: number;
      readonly server: ServerPool;
      readonly oracle: Oracle;
      readonly observer: ShardDb;
      readonly alter: AlterStatement;
      readonly trace: string[];
    },
    onChange: () => void,
  ) {
    const { server } = options;
    this.name = options.name;
    this.pid = options.pid;
    this.#client = options.client;
    this.#oracle = options.oracle;
    this.#observer = options.observer;
    this.#alter = options.alter;
    this.#trace = options.trace;
    this.#onChange = onChange;
    const client = { query: this.#query.bind(this), release: () => undefined };
    const pool = { ...server, pool: { connect: async () => client } as unknown as pg.Pool };
    this.db = new PooledDatabase('shards', pool);
    this.home = new PooledDatabase('home', pool);
  }

  /** Runs an operation. Its statements wait for `takeTurn`. */
  async perform(operation: Operation): Promise<void> {
    const expectations = operation.expects();
    this.#operation = { name: operation.name, expectations, next: expectations.next().value || undefined };
    try {
      await operation.run(this);
      assert.equal(this.#operation.next, undefined, `${operation.name} executed fewer statements than expected`);
    } finally {
      this.#operation = undefined;
      this.#setState('idle');
    }
  }

  /** Executes the next statement, or commits. */
  takeTurn(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    this.#setState('running');
    resume?.();
  }

  #setState(state: ControlledConnection['state']): void {
    this.state = state;
    this.#onChange();
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
      this.#setState('ready');
    });
  }

  async #query(statement: string | { readonly text: string; readonly values: readonly unknown[] }) {
    const isAlone = this.#transaction === undefined;
    await this.#turn();
    if (statement === 'begin') await this.#begin();
    else if (statement === 'commit' || statement === 'rollback') await this.#end(statement);
    else if (typeof statement === 'object') {
      if (isAlone) await this.#begin();
      try {
        const rows = await this.#execute(statement);
        if (!isAlone) return { rows };
        await this.#turn();
        await this.#end('commit');
        return { rows };
      } catch (error) {
        if (isAlone) await this.#client.query('rollback').catch(() => undefined);
        throw error;
      }
    }
    return { rows: [] };
  }

  async #begin(): Promise<void> {
    await this.#client.query('begin');
    const { rows } = await this.#client.query<{ now: number }>(
      'select extract(epoch from now())::float8 * 1000 as now',
    );
    this.#transaction = { now: (rows[0] as { now: number }).now, changes: new Map() };
    this.#note('begin');
  }

  async #execute({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) {
    const { name, expectations, next } = this.#operation as RunningOperation;
    assert.ok(next, `${name} executed more statements than expected: ${text}`);
    const { committed } = this.#oracle;
    const snapshot: Tables = {
      slices: new Map(committed.slices),
      expansions: new Map(committed.expansions),
      tasks: new Map(committed.tasks),
      inbox: new Map(committed.inbox),
      sessions: new Map(committed.sessions),
    };
    const locked = next.skipsLockedOf ? await findLocked(this.#observer, next.skipsLockedOf) : new Set<string>();
    const { rows } = await this.#client.query<object>({ text: this.#alter(text), values: [...values] });
    await this.#oracle.exclusively(async () => {
      this.#note(`${name}: ${rows.length} rows`);
      await this.#oracle.evaluate(this.#transaction as OpenTransaction, (model) =>
        next.check(model, { rows, locked, snapshot }),
      );
    });
    (this.#operation as RunningOperation).next = expectations.next(rows).value || undefined;
    return rows;
  }

  async #end(statement: 'commit' | 'rollback'): Promise<void> {
    const transaction = this.#transaction as OpenTransaction;
    await this.#oracle.exclusively(async () => {
      this.#note(statement);
      await this.#client.query(statement);
      this.#transaction = undefined;
      if (statement === 'commit') await this.#oracle.commit(transaction);
    });
  }

  #note(text: string): void {
    this.#trace.push(`${this.name} ${text}`);
  }
}
