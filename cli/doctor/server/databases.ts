import { createLog } from '#src/foundation/log.ts';
import { SettingsError } from '#src/foundation/settings.ts';
import { addressOf, connectionAdvice } from '#src/storage/database/connection-failure.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { findMigrationGap, type MigrationGap } from '#src/storage/database/migrations.ts';
import { initialDatabases, shardUrls, withHome } from '#src/storage/database/open-storage.ts';
import {
  type ArchiveFacts,
  readArchiveFacts,
  readServerFacts,
  type ServerFacts,
} from '#src/storage/database/server-facts.ts';
import { codeOf, type Finding, findingOfClock, ok, reasonOf, warning, wrong } from '../finding.ts';
import { type CheckedDatabase, compareDatabases, readMap } from './compare-databases.ts';

interface StorageSettings {
  readonly CARILLON_DATABASE_URL: string;
  readonly CARILLON_SHARD_DATABASES: string;
}

const QUERY_SECONDS_MAX = 5;
const VERSION_MIN = 15;
/**
 * Minimum for `max_connections`. A process uses up to nine connections, a small installation has four processes, and
 * during an upgrade old and new processes run at the same time.
 */
const CONNECTIONS_MIN = 50;

/** Runs a function on one database with a separate connection. */
export function withDatabase<T>(url: string, work: (db: HomeDb) => Promise<T>): Promise<T> {
  const settings = {
    CARILLON_DATABASE_URL: url,
    CARILLON_SHARD_DATABASES: '',
    CARILLON_DATABASE_QUERY_SECONDS_MAX: QUERY_SECONDS_MAX,
  };
  const log = createLog({ level: 'error', fields: { role: 'doctor' } });
  return withHome({ settings, connections: 1, log }, work);
}

/** Checks every database once, and compares them. Returns whether the home database can be used. */
export async function* checkDatabases(settings: StorageSettings): AsyncGenerator<Finding, boolean> {
  const homeUrl = settings.CARILLON_DATABASE_URL;
  let urls: ReadonlyMap<string, string>;
  try {
    urls = shardUrls(homeUrl, settings.CARILLON_SHARD_DATABASES);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    yield wrong('settings', error.faults.join('; '), 'See docs/reference/configuration.md for the format.');
    return false;
  }
  const map = await withDatabase(homeUrl, readMap).catch((error: Error) => error);
  const mapped = map instanceof Error ? [] : map.ranges.map(({ database }) => database);
  const shardNames = new Set([...mapped, ...initialDatabases(homeUrl, settings.CARILLON_SHARD_DATABASES)]);
  const shardUrlSet = new Set([...shardNames].flatMap((name) => urls.get(name) ?? []));
  const clusters = new Set<string>();
  const databases: CheckedDatabase[] = [];
  let isHomeUsable = false;
  for (const url of new Set([homeUrl, ...shardUrlSet])) {
    const kinds = [
      ...(url === homeUrl ? (['home'] as const) : []),
      ...(shardUrlSet.has(url) ? (['shard'] as const) : []),
    ];
    const names = [...urls].filter(([, named]) => named === url).map(([name]) => name);
    const { findings, checked } = await checkDatabase(url, kinds, clusters);
    yield* findings;
    if (checked) databases.push({ names, url, isHome: url === homeUrl, ...checked });
    if (url === homeUrl)
      isHomeUsable = findings.every(({ state, check }) => state !== 'wrong' || check === 'durability');
  }
  yield* compareDatabases(databases, map, new Set(urls.keys()));
  return isHomeUsable;
}

/** The findings about a database, and the facts that are compared with other databases. */
interface DatabaseCheck {
  readonly findings: readonly Finding[];
  /** Undefined if the database cannot be used. */
  readonly checked?: Omit<CheckedDatabase, 'names' | 'url' | 'isHome'>;
}

async function checkDatabase(
  url: string,
  kinds: readonly ('home' | 'shard')[],
  clusters: Set<string>,
): Promise<DatabaseCheck> {
  const { server, database } = addressOf(url);
  try {
    return await withDatabase(url, async (db) => {
      const startedAtMs = Date.now();
      const facts = await readServerFacts(db);
      const tookMs = Date.now() - startedAtMs;
      const offMs = facts.now.getTime() - (startedAtMs + tookMs / 2);
      // Older versions do not support the following queries.
      if (facts.version < VERSION_MIN * 10_000) return { findings: [findingOfServer(database, facts)] };
      const gaps = await Promise.all(kinds.map(async (kind) => ({ kind, ...(await findMigrationGap(db, kind)) })));
      const archive = await readArchiveFacts(db);
      // Databases of one cluster are backed up together, so the backup is checked once per cluster.
      const isFirst = !clusters.has(archive.cluster);
      clusters.add(archive.cluster);
      const findings = [
        findingOfServer(database, facts),
        findingOfDurability(facts),
        ...(isFirst ? [findingOfBackup(server, archive)] : []),
        findingOfClock('clock, PostgreSQL', "PostgreSQL's clock", offMs, tookMs / 2),
        ...findingsOfMigrations(database, gaps),
      ];
      const clock = { offMs, errorMs: tookMs / 2 };
      return { findings, checked: { cluster: archive.cluster, clock, gaps } };
    });
  } catch (error) {
    if (codeOf(error) === '' && !(error instanceof Error && error.name === 'Unavailable')) throw error;
    return {
      findings: [
        wrong(
          'PostgreSQL',
          `${database} cannot be used: ${reasonOf(error)}.`,
          connectionAdvice(codeOf(error), 'CARILLON_DATABASE_URL'),
        ),
      ],
    };
  }
}

function findingOfServer(database: string, { version, isStandby, connectionsMax }: ServerFacts): Finding {
  const major = Math.floor(version / 10_000);
  const text = `${database} responds, version ${major}.${version % 10_000}`;
  if (major < VERSION_MIN)
    return wrong('PostgreSQL', `${text}.`, `Upgrade PostgreSQL to version ${VERSION_MIN} or newer.`);
  if (isStandby)
    return wrong(
      'PostgreSQL',
      `${text}, but the server is a standby and does not accept writes.`,
      'Set CARILLON_DATABASE_URL to the primary.',
    );
  if (connectionsMax < CONNECTIONS_MIN)
    return warning(
      'PostgreSQL',
      `${text}, with max_connections ${connectionsMax}.`,
      'Each process uses up to nine connections. Raise max_connections to 100, or use PgBouncer.',
    );
  return ok('PostgreSQL', `${text}.`);
}

/** Checks the settings that make commits durable. Without them, a power failure can lose accepted tasks. */
function findingOfDurability({ fsync, synchronousCommit, fullPageWrites }: ServerFacts): Finding {
  const off = [
    ...(fsync === 'off' ? ['fsync'] : []),
    ...(synchronousCommit === 'off' ? ['synchronous_commit'] : []),
    ...(fullPageWrites === 'off' ? ['full_page_writes'] : []),
  ];
  if (off.length === 0) return ok('durability', 'PostgreSQL flushes commits to disk.');
  return wrong(
    'durability',
    `${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off: a power failure can lose accepted tasks.`,
    `Turn ${off.length === 1 ? 'it' : 'them'} on in postgresql.conf, and check for overrides by \`alter role\` or \`alter database … set\`.`,
  );
}

/**
 * Checks that PostgreSQL's WAL is archived or streamed. Otherwise, the loss of PostgreSQL's storage loses accepted
 * tasks.
 */
function findingOfBackup(server: string, { isArchived, isStreamed, archivingFails }: ArchiveFacts): Finding {
  const advice = 'docs/operate/backup.md explains how to archive the WAL and back up the databases.';
  if (!isArchived && !isStreamed)
    return warning(
      'backup',
      `PostgreSQL on ${server} neither archives nor streams its WAL: losing its disk loses all data.`,
      advice,
    );
  if (archivingFails)
    return warning('backup', `WAL archiving on ${server} fails, so WAL segments accumulate on its disk.`, advice);
  return ok('backup', `${server} ${isArchived ? 'archives' : 'streams'} its WAL.`);
}

function findingsOfMigrations(database: string, gaps: readonly (MigrationGap & { kind: string })[]): Finding[] {
  const findings = gaps.flatMap(({ kind, missing, unknown }) => {
    if (missing.length > 0)
      return wrong(
        'migrations',
        `Migrations missing in ${database} for ${kind}: ${missing.length} (${missing.join(', ')}).`,
        'Run `node src/bin/migrate.ts` with the settings of the service, then start the roles.',
      );
    if (unknown.length === 0) return [];
    return warning(
      'migrations',
      `${database} was migrated by a newer version (${kind}: ${unknown.join(', ')}).`,
      'Upgrade Carillon on this machine to that version.',
    );
  });
  return findings.length > 0 ? findings : [ok('migrations', `${database} has all migrations.`)];
}
