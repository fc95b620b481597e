import type { HomeDb, ShardDb } from './database.ts';

/** The properties of a database server that an operator must know. */
export interface ServerFacts {
  /** In the form of `server_version_num`: 150014 is 15.14. */
  readonly version: number;
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly fullPageWrites: string;
  /** A standby accepts no writes. */
  readonly isStandby: boolean;
  readonly connectionsMax: number;
  /** The server's clock while the query runs. */
  readonly now: Date;
}

/** The state of a server's WAL archiving. */
export interface ArchiveFacts {
  /** Identifies the cluster, regardless of the address that is used to reach it. */
  readonly cluster: string;
  /** WAL is archived by segments (`isArchived`), or streamed to a client at this moment (`isStreamed`). */
  readonly isArchived: boolean;
  readonly isStreamed: boolean;
  /**
   * The last segment could not be archived, or a segment has waited for too long. The second check is needed because an
   * archive command that hangs never reports an error.
   */
  readonly archivingFails: boolean;
}

/**
 * A segment has waited for too long after this multiple of `archive_timeout`, or after this number of minutes if
 * `archive_timeout` is not set.
 */
const ARCHIVE_TIMEOUTS_MAX = 3;

/** Reads the facts of a server. The settings are those that apply to Carillon's connections, wherever they are set. */
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

/**
 * Reads the archiving state with queries that every database role can run. Only `pg_monitor` can count the waiting
 * segments.
 */
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
              -- No segment was archived since the statistics were reset, for example by a crash.
              when a.last_archived_wal is null
                then w.wal_bytes > l.segment_size
                     or (select redo_wal_file from pg_control_checkpoint()) < pg_walfile_name(pg_current_wal_lsn())
              -- A history file has no position. Without the timeline, segment names sort in WAL order.
              else a.last_archived_wal ~ '^[0-9A-F]{24}$'
                   and substr(a.last_archived_wal, 9) < substr(pg_walfile_name(pg_current_wal_lsn() - l.segment_size), 9)
            end as "archivingFails"
       from pg_stat_archiver a, pg_stat_wal w, pg_size_bytes(current_setting('wal_segment_size')) as l (segment_size)`,
  );
  return facts as ArchiveFacts;
}
