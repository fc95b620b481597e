import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

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
  hasAlias: DATABASES_OF_USER,
  LIVE_SESSION_JOIN: 'the session of a device row',
  LIVE_SESSIONS_JOIN: 'the session of a device row',
  countAudience: EVERY_DATABASE,
  countAudienceDevices: EVERY_DATABASE,
  estimateAudienceDevices: EVERY_DATABASE,
  findBusyApps: EVERY_DATABASE,
  hasOpenWork: EVERY_DATABASE,
  requeueInboxSlices: EVERY_DATABASE,
  findExpiredInboxRows: EVERY_DATABASE,
  deleteGateway: EVERY_DATABASE,
  deleteDeadGateways: EVERY_DATABASE,
  findTasksInShards: EVERY_DATABASE,
  findShardProgress: ONE_TASK,
  findShardExpansions: ONE_TASK,
  findExpansionKeys: ONE_TASK,
  countChannelsInDatabase: ONE_TASK,
  recount: ONE_TASK,
  cancelTaskInShards: ONE_TASK,
  deleteTasks: ONE_TASK,
};

/** A statement in the source code, with the function that runs it. */
interface Statement {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

/** Returns the tables that have a column `bucket`. */
function bucketedTables(): string[] {
  const migrations = globSync('migrations/*/*.sql', { cwd: root }).map((file) =>
    readFileSync(`${root}/${file}`, 'utf8'),
  );
  const tables = [...migrations.join('\n').matchAll(/create (?:unlogged )?table (\w+) \(\n(.*?)\n\)/gs)];
  return tables.filter(([, , body]) => /^ {2}bucket /m.test(body as string)).map(([, name]) => name as string);
}

/** Returns all strings of `src/storage`. Constants in a string are replaced by their text. */
function statementsOf(files: readonly string[]): Statement[] {
  const sources = files.map((file) => ({ file, source: readFileSync(`${root}/${file}`, 'utf8') }));
  const constants = new Map<string, string>();
  for (const { source } of sources)
    for (const { index, 1: name } of source.matchAll(/\bconst (\w+) = (?:\([^)]*\)[^=`]*=> )?\n? *(?=`)/g))
      constants.set(name as string, readTemplate(source, source.indexOf('`', index)).text);
  const inline = (text: string, depth = 0): string =>
    text.replace(/\$\{((\w+)[^}]*)\}/g, (_, expression: string, name: string) => {
      const constant = depth < 5 ? constants.get(name) : undefined;
      return constant === undefined ? expression : `${inline(constant, depth + 1)} ${expression}`;
    });
  return sources.flatMap(({ file, source }) =>
    splitFunctions(source).flatMap(({ name, body }) =>
      stringsOf(body).map((text) => ({ file, name, text: inline(text) })),
    ),
  );
}

/** Returns the top-level functions and constants of a module. */
function splitFunctions(source: string): { name: string; body: string }[] {
  const starts = [...source.matchAll(/^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+))/gm)];
  return starts.map(({ index, 1: name, 2: constant }, i) => ({
    name: (name ?? constant) as string,
    body: source.slice(index, starts[i + 1]?.index),
  }));
}

/** Returns the template strings and plain strings of a piece of code. A template contains the strings in its expressions. */
function stringsOf(code: string): string[] {
  const strings: string[] = [];
  for (let i = 0; i < code.length; i++) {
    if (code[i] === '`') {
      const { text, end } = readTemplate(code, i);
      strings.push(text);
      i = end;
    } else if (code[i] === "'") {
      const end = code.indexOf("'", i + 1);
      strings.push(code.slice(i + 1, end));
      i = end;
    } else if (code.startsWith('/*', i)) i = code.indexOf('*/', i);
    else if (code.startsWith('//', i)) i = code.indexOf('\n', i);
  }
  return strings;
}

/** Reads the template string that begins at `start`. Nested templates become part of the text. */
function readTemplate(code: string, start: number): { text: string; end: number } {
  let text = '';
  let depth = 0;
  for (let i = start + 1; i < code.length; i++) {
    if (code.startsWith('${', i)) depth++;
    if (code[i] === '`' && depth === 0) return { text, end: i };
    if (code[i] === '`') {
      const nested = readTemplate(code, i);
      text += nested.text;
      i = nested.end;
      continue;
    }
    if (code[i] === '}' && depth > 0) depth--;
    text += code[i];
  }
  throw new Error('A template string has no end.');
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
  const statements = statementsOf(
    globSync('src/storage/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts')),
  );
  const onBuckets = statements.filter(({ text }) => uses.test(text));

  test('are found', () => {
    assert.deepEqual(tables.sort(), [
      ...['badges', 'bindings', 'devices', 'expansions', 'inbox', 'request_keys'],
      ...['sessions', 'slice_targets', 'slices', 'tags'],
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
