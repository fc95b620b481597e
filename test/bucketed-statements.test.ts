import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { storageStatements } from './support/storage-statements.ts';

// A row of a bucketed table can be in any database. A statement on such a table therefore names the bucket of its rows, or is
// listed here because it is run in every database that can have the rows.

const root = fileURLToPath(new URL('..', import.meta.url));
const EVERY_DATABASE = 'run in every database';
const DATABASES_OF_USER = 'run in the databases in which the user has devices';
const ONE_TASK = 'run in every database of the task';

const WITHOUT_BUCKET: Readonly<Record<string, string>> = {
  findDevicesOfUsers: DATABASES_OF_USER,
  findOwnedDevices: DATABASES_OF_USER,
  findDevicesToErase: DATABASES_OF_USER,
  findDevicesToExport: DATABASES_OF_USER,
  hasAlias: DATABASES_OF_USER,
  LIVE_SESSION_JOIN: 'the session of a device row',
  LIVE_SESSIONS_JOIN: 'the session of a device row',
  REPORTED_STATE: 'the reported state of a device row',
  countAudience: EVERY_DATABASE,
  countAudienceDevices: EVERY_DATABASE,
  estimateAudienceDevices: EVERY_DATABASE,
  findBusyApps: EVERY_DATABASE,
  estimateInboxRows: EVERY_DATABASE,
  hasOpenWork: EVERY_DATABASE,
  requeueInboxSlices: EVERY_DATABASE,
  findExpiredInboxRows: EVERY_DATABASE,
  findTasksInShards: EVERY_DATABASE,
  findNewestTasksInShard: EVERY_DATABASE,
  findOldestTask: EVERY_DATABASE,
  findShardProgress: ONE_TASK,
  findSliceProgress: ONE_TASK,
  findShardExpansions: ONE_TASK,
  findExpansionKeys: ONE_TASK,
  countChannelsInDatabase: ONE_TASK,
  findFailuresInDatabase: EVERY_DATABASE,
  findInboxWait: ONE_TASK,
  recount: ONE_TASK,
  cancelTaskInShards: ONE_TASK,
  findChannelsOfTask: ONE_TASK,
  countRecalls: ONE_TASK,
};

/** Returns the tables that have a column `bucket`. */
function bucketedTables(): string[] {
  const migrations = globSync('migrations/*/*.sql', { cwd: root }).map((file) =>
    readFileSync(`${root}/${file}`, 'utf8'),
  );
  const dropped = [...migrations.join('\n').matchAll(/^drop table (\w+)/gm)].map(([, name]) => name as string);
  const tables = [...migrations.join('\n').matchAll(/create (?:unlogged )?table (\w+) \(\n(.*?)\n\)/gs)];
  return tables
    .filter(([, , body]) => /^ {2}bucket /m.test(body as string))
    .map(([, name]) => name as string)
    .filter((name) => !dropped.includes(name));
}

/** Removes the parts of a statement that name a bucket only in its result, or compare those of two tables. */
const withoutResult = (text: string): string =>
  text
    .replace(/\bselect\b(?:(?!\bselect\b|\bfrom\b).)*\bfrom\b/gs, 'select from')
    .replace(/\breturning\b[^)]*/gs, '')
    .replace(/\b\w\.bucket = [ds]\.bucket\b/g, '');

describe('statements on bucketed tables', () => {
  const tables = bucketedTables();
  const uses = new RegExp(`\\b(?:from|join|into|update|using)\\s+(?:${tables.join('|')})\\b`);
  const statements = storageStatements();
  const onBuckets = statements.filter(({ text }) => uses.test(text));

  test('are found', () => {
    assert.deepEqual(tables.sort(), [
      ...['badge_blocks', 'bindings', 'devices', 'expansions', 'inbox', 'reported_states', 'request_keys'],
      ...['sessions', 'slice_recalls', 'slice_targets', 'slices', 'tags'],
    ]);
    assert.ok(onBuckets.length > 50, `${onBuckets.length} statements`);
  });

  test('name the bucket of their rows, unless they are run in every database that can have the rows', () => {
    const faults = onBuckets.filter(
      ({ name, text }) => !/\bbucket\b/.test(withoutResult(text)) && !(name in WITHOUT_BUCKET),
    );
    assert.deepEqual(
      faults.map(({ file, name, text }) => `${file} ${name}: ${text.replace(/\s+/g, ' ').slice(0, 120)}`),
      [],
      'Add the bucket to these statements. If a statement is meant for every database, list its function with the reason.',
    );
  });

  test('the list of statements without a bucket has no unused entry', () => {
    const unused = Object.keys(WITHOUT_BUCKET).filter(
      (listed) => !onBuckets.some(({ name, text }) => name === listed && !/\bbucket\b/.test(withoutResult(text))),
    );
    assert.deepEqual(unused, []);
  });
});
