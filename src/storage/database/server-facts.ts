import type { HomeDb, ShardDb } from './database.ts';

/** What an operator must know of a database server. */
export interface ServerFacts {
  /** As in `server_version_num`: 150014 is 15.14. */
  readonly version: number;
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly fullPageWrites: string;
  /** A standby takes no writes. */
  readonly isStandby: boolean;
  readonly connectionsMax: number;
  /** Its clock, in the middle of the question. */
  readonly now: Date;
}

/** Where its log is kept besides. */
export interface ArchiveFacts {
  /** Tells clusters apart, however they are reached. */
  readonly cluster: string;
  /** Handed over by segments, or streamed to somebody at this moment. */
  readonly isArchived: boolean;
  readonly isStreamed: boolean;
  /** The last segment was not taken, or one has waited for long: an archive that hangs never says no. */
  readonly archivingFails: boolean;
}

/** A segment waits for long after so many times `archive_timeout`, or so many minutes where that is not set. */
const ARCHIVE_TIMEOUTS_MAX = 3;

/** The settings are those that a connection of ours gets, whoever has set them. */
export async function readServerFacts(db: HomeDb | ShardDb): Promise<ServerFacts> {
  const [facts] = await db.query<ServerFacts>(
    `select current_setting('server_version_num')::int as version,
            current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as "synchronousCommit",
            current_setting('full_page_writes') as "fullPageWrites",
            pg_is_in_recovery() as "isStandby",
            current_setting('max_connections')::int as "connectionsMax",
            clock_timestamp() as now`,
  );
  return facts as ServerFacts;
}

/** Only what every role may ask: the segments that wait are counted for `pg_monitor` alone. */
export async function readArchiveFacts(db: HomeDb | ShardDb): Promise<ArchiveFacts> {
  const [facts] = await db.query<ArchiveFacts>(
    `select (select system_identifier::text from pg_control_system()) as cluster,
            current_setting('archive_mode') <> 'off' as "isArchived",
            exists (select from pg_stat_replication) as "isStreamed",
            case
              when current_setting('archive_mode') = 'off' or pg_is_in_recovery() then false
              when current_setting('archive_command') = '' and current_setting('archive_library') = '' then true
              when a.last_failed_time > coalesce(a.last_archived_time, '-infinity') then true
              when coalesce(a.last_archived_time, a.stats_reset) > clock_timestamp()
                   - ${ARCHIVE_TIMEOUTS_MAX} * coalesce(nullif(current_setting('archive_timeout')::interval, '0'), '1 min')
                then false
              -- None since the counts began, as they do after a crash, although there was one.
              when a.last_archived_wal is null
                then w.wal_bytes > l.segment_size
                     or (select redo_wal_file from pg_control_checkpoint()) < pg_walfile_name(pg_current_wal_lsn())
              -- A history does not say how far the archive is. Behind their timeline, names are in the order of the log.
              else a.last_archived_wal ~ '^[0-9A-F]{24}$'
                   and substr(a.last_archived_wal, 9) < substr(pg_walfile_name(pg_current_wal_lsn() - l.segment_size), 9)
            end as "archivingFails"
       from pg_stat_archiver a, pg_stat_wal w, pg_size_bytes(current_setting('wal_segment_size')) as l (segment_size)`,
  );
  return facts as ArchiveFacts;
}
