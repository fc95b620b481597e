import { createLog } from '#src/foundation/log.ts';
import { closePool, openPool } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { createMigratedDatabases } from '../support/databases.ts';
import { insertDevices } from './fixture.ts';
import { runSchedule, type Schedule, type ScheduleReport } from './run-schedule.ts';

const QUERY_SECONDS_MAX = 20;
/** The maximum number of connections of a schedule. */
const CONNECTIONS = 4;

/** Runs schedules on a separate database, which checks the laws of the ledger with triggers. */
export interface Harness extends AsyncDisposable {
  run(schedule: Schedule): Promise<ScheduleReport>;
}

export async function startHarness(): Promise<Harness> {
  const databases = await createMigratedDatabases(undefined, { count: 1 });
  const log = createLog({ level: 'error', fields: { role: 'test' } });
  const settings = { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: QUERY_SECONDS_MAX };
  const storage = await openStorage({ settings, connections: 1, log });
  const server = openPool(databases.homeUrl, CONNECTIONS, QUERY_SECONDS_MAX * 1_000, log);
  const observer = storage.shards.dbFor(0);
  // Commits need not survive a crash of the server.
  await observer.query(`alter database ${new URL(databases.homeUrl).pathname.slice(1)} set synchronous_commit = off`);
  await observer.query('set synchronous_commit = off');
  await insertDevices(observer);
  return {
    run: (schedule) => runSchedule(schedule, server, observer),
    [Symbol.asyncDispose]: async () => {
      await closePool(server);
      await storage.close();
      await databases[Symbol.asyncDispose]();
    },
  };
}
