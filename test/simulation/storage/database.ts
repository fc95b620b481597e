import type * as real from '#src/storage/database/database.ts';
import type { SimulatedDatabase } from '../environment/database.ts';

/** A database handle with the product's interface. Inside a transaction, statements do not wait. */
export interface DatabaseHandle {
  readonly database: SimulatedDatabase;
  readonly inTransaction: boolean;
}

export const simulatedDatabaseOf = (db: real.HomeDb | real.ShardDb): SimulatedDatabase =>
  (db as unknown as DatabaseHandle).database;

const isTransaction = (db: real.HomeDb | real.ShardDb): boolean => (db as unknown as DatabaseHandle).inTransaction;

/** Runs a statement that changes rows. */
export async function write<T>(db: real.HomeDb | real.ShardDb, label: string, work: () => T): Promise<T> {
  return isTransaction(db) ? work() : simulatedDatabaseOf(db).write(label, work);
}

export async function read<T>(db: real.HomeDb | real.ShardDb, label: string, query: () => T): Promise<T> {
  return isTransaction(db) ? query() : simulatedDatabaseOf(db).read(label, query);
}

export const inTransaction: typeof real.inTransaction = (db, work) => {
  const database = simulatedDatabaseOf(db);
  if (database.rules.splitsTransactions) return work(db);
  return database.transaction('transaction', () => work({ ...db, inTransaction: true }));
};

/** Statements of a simulation fail because a database is unavailable, or because they are rejected. */
export const isTransientError: typeof real.isTransientError = () => false;

export const byDatabase: typeof real.byDatabase = (shards, items, bucketOf) =>
  Map.groupBy(items, (item) => shards.dbFor(bucketOf(item)));
