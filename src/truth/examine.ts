import type { HomeDb, ShardDb } from './database.ts';

/** What an operator must know of a database server. */
export interface DatabaseFacts {
  /** As in `server_version_num`: 150014 is 15.14. */
  readonly version: number;
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly fullPageWrites: string;
  /** A standby takes no writes. */
  readonly isStandby: boolean;
  readonly connectionsMax: number;
  /** Its log is kept elsewhere as well: handed over by segments, or streamed to somebody at this moment. */
  readonly isArchived: boolean;
  readonly isStreamed: boolean;
  /** The last segment was not taken. */
  readonly archivingFails: boolean;
  /** Its clock, in the middle of the question. */
  readonly now: Date;
}

/** The settings are those that a connection of ours gets, whoever has set them. */
export async function examineDatabase(db: HomeDb | ShardDb): Promise<DatabaseFacts> {
  const [facts] = await db.query<DatabaseFacts>(
    `select current_setting('server_version_num')::int as version,
            current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as "synchronousCommit",
            current_setting('full_page_writes') as "fullPageWrites",
            pg_is_in_recovery() as "isStandby",
            current_setting('max_connections')::int as "connectionsMax",
            current_setting('archive_mode') <> 'off' as "isArchived",
            exists (select from pg_stat_replication) as "isStreamed",
            coalesce(a.last_failed_time > coalesce(a.last_archived_time, '-infinity'), false) as "archivingFails",
            clock_timestamp() as now
       from pg_stat_archiver a`,
  );
  return facts as DatabaseFacts;
}
