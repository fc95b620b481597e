import type { HomeDb, ShardDb } from '#src/storage/database/database.ts';
import { type DatabaseHooks, productRules, SimulatedDatabase } from './database.ts';
import { randomFrom } from './random.ts';
import { Scheduler } from './scheduler.ts';

/** A database of the simulation, in which nothing fails and no statement takes time. */
export class SimulatedShard {
  readonly scheduler = new Scheduler({ ...randomFrom(1), between: () => 0, chance: () => false });
  readonly database: SimulatedDatabase;
  readonly db: ShardDb;
  readonly home: HomeDb;

  constructor() {
    const ignore = () => undefined;
    const hooks: DatabaseHooks = {
      ...{ beforeCommit: ignore, afterCommit: ignore, committed: ignore, acknowledged: ignore },
      ...{ finished: ignore, cancelled: ignore, observed: ignore, unanswered: ignore },
    };
    this.database = new SimulatedDatabase('shard', this.scheduler, hooks, productRules);
    const handle = { database: this.database, inTransaction: false };
    this.db = { kind: 'shards', ...handle } as unknown as ShardDb;
    this.home = { kind: 'home', ...handle } as unknown as HomeDb;
  }

  /** Runs a function of the model in a simulated process until it ends. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const result = Promise.withResolvers<T>();
    result.promise.catch(() => undefined); // thrown below
    let hasEnded = false;
    this.scheduler.run(this.scheduler.createProcess('test'), async () => {
      await work().then(result.resolve, result.reject);
      hasEnded = true;
    });
    await this.scheduler.runUntil(() => hasEnded, Number.POSITIVE_INFINITY);
    return result.promise;
  }
}
