import type * as real from '#src/storage/database/database.ts';
import type { Storage } from '../environment/database.ts';

/** A database as the product holds it. Inside a transaction, statements wait for nothing. */
export interface Handle {
  readonly storage: Storage;
  readonly inTransaction: boolean;
}

export const storageOf = (db: real.HomeDb | real.ShardDb): Storage => (db as unknown as Handle).storage;

const isTransaction = (db: real.HomeDb | real.ShardDb): boolean => (db as unknown as Handle).inTransaction;

/** A statement that changes rows. */
export async function write<T>(db: real.HomeDb | real.ShardDb, label: string, work: () => T): Promise<T> {
  return isTransaction(db) ? work() : storageOf(db).write(label, work);
}

export async function read<T>(db: real.HomeDb | real.ShardDb, label: string, question: () => T): Promise<T> {
  return isTransaction(db) ? question() : storageOf(db).read(label, question);
}

export const inTransaction: typeof real.inTransaction = (db, work) => {
  const storage = storageOf(db);
  if (storage.rules.splitsTransactions) return work(db);
  return storage.transaction('transaction', () => work({ ...db, inTransaction: true }));
};

export const byDatabase: typeof real.byDatabase = (shards, items, shardOf) =>
  Map.groupBy(items, (item) => shards.of(shardOf(item)));
