import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { commandsFor } from '../commands.ts';
import type { Cluster } from './cluster.ts';

/** Maximum time to archive a segment. PostgreSQL retries a rejected segment after a minute. */
const ARCHIVE_SECONDS_MAX = 90;

/** Names of the blocks of each page, in the order of the page. */
const namesByPage = {
  'docs/operate/backup.md': [
    'archive',
    'lookAtArchive',
    'baseBackup',
    'prune',
    'prepareStream',
    'stream',
    'waitForStream',
    'dump',
  ],
  'docs/operate/restore.md': ['putBack', 'awaitReplay', 'agree', 'beginTimeline', 'verify', 'restoreDump'],
} as const;

type PageName = keyof typeof namesByPage;

/** Returns the commands of a page, by name. */
export function readPage<Page extends PageName>(
  page: Page,
): Readonly<Record<(typeof namesByPage)[Page][number], string>> {
  const names: readonly string[] = namesByPage[page];
  const blocks = commandsFor('restore', page);
  assert.equal(blocks.length, names.length, `every block of ${page} must have a name in \`namesByPage\``);
  return Object.fromEntries(names.map((name, i) => [name, blocks[i]])) as Record<
    (typeof namesByPage)[Page][number],
    string
  >;
}

/**
 * Ends the current WAL segment, as `archive_timeout` would, and waits until PostgreSQL reports the segment as archived.
 */
export async function archiveEverything(cluster: Cluster, lookAtArchive: string): Promise<void> {
  const segment = await cluster.ask('select pg_walfile_name(pg_current_wal_lsn())');
  await cluster.run(lookAtArchive);
  await eventually(async () => {
    const isKept = await cluster.ask(`select last_archived_wal >= '${segment}' from pg_stat_archiver`);
    assert.equal(isKept, 't', `${segment} is archived`);
  }, ARCHIVE_SECONDS_MAX);
}
