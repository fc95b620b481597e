import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findIncompatibilities, SMALL_TABLES, splitStatements } from './support/migration-rules.ts';
import {
  listPreviousFiles,
  previousCommit,
  previousVersionSkipReason,
  readPreviousFile,
} from './support/previous-version.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const kinds = ['home', 'shard'] as const;
const filesOf = (kind: string) => readdirSync(join(root, 'migrations', kind)).sort();
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const skip = previousVersionSkipReason() ?? false;

describe('migrations', () => {
  for (const kind of kinds) {
    const folder = `migrations/${kind}`;

    test(`of ${kind} are numbered without holes, and say why`, () => {
      const files = filesOf(kind);
      for (const [i, file] of files.entries()) {
        assert.match(file, /^\d{4}-[a-z0-9-]+\.sql$/);
        assert.equal(Number(file.slice(0, 4)), i + 1, `${file} is not number ${i + 1}`);
        assert.match(read(`${folder}/${file}`), /^-- Why: /, `${file} does not say why on its first line`);
      }
    });

    test(`of ${kind} that the version before had are as they were`, { skip }, () => {
      const before = listPreviousFiles(folder);
      assert.ok(before.length > 0);
      const changed = before.filter((file) => readPreviousFile(`${folder}/${file}`) !== readOr(`${folder}/${file}`));
      assert.deepEqual(changed, [], 'databases that have had them would not get the change: write another one');
    });

    test(`of ${kind} that came since have landed once`, { skip }, () => {
      const before = new Set(listPreviousFiles(folder));
      const commits = (file: string) =>
        execFileSync(
          'git',
          ['log', '--no-merges', '--format=%h', `${previousCommit()}..HEAD`, '--', `${folder}/${file}`],
          {
            cwd: root,
          },
        );
      for (const file of filesOf(kind).filter((each) => !before.has(each))) {
        const landed = commits(file).toString().trim().split('\n').filter(Boolean);
        assert.ok(
          landed.length <= 1,
          `${file} was edited after it had landed: ${landed.join(', ')}. Write another one.`,
        );
      }
    });

    test(`of ${kind} that came since leave the version before alone`, { skip }, () => {
      const before = new Set(listPreviousFiles(folder));
      const made = new Set<string>();
      for (const file of filesOf(kind).filter((each) => !before.has(each)))
        assert.deepEqual(findIncompatibilities(read(`${folder}/${file}`), made), [], file);
    });
  }

  test('the tables that are called small are there', () => {
    const all = kinds.flatMap((kind) => filesOf(kind).map((file) => read(`migrations/${kind}/${file}`))).join('\n');
    const missing = [...SMALL_TABLES].filter(
      (table) => !new RegExp(`^create (unlogged )?table ${table} `, 'm').test(all),
    );
    assert.deepEqual(missing, []);
  });

  const readOr = (path: string) =>
    filesOf(path.split('/')[1] as string).includes(path.split('/')[2] as string) ? read(path) : undefined;
});

describe('what a migration may do', () => {
  const harmless = [
    'create table bells (bell_id bigint primary key, rings int not null)',
    'create unlogged table if not exists bells (x int); create unique index on bells (x)',
    "create table bells (x text); insert into bells values ('a;b'), ('it''s'); alter table bells rename x to y",
    'alter table tasks add column colour text',
    "alter table tasks add column a int check (a > 0), add column b timestamptz not null default '-infinity'",
    "alter table tasks add column tags text[] not null default '{}'::text[], add c numeric default -1.5 not null",
    'create index gates_why on gates (why)',
    'create index tasks_x on only tasks (x)',
    'create function ring() returns int language sql as $$ select 1; select 2; $$',
    "comment on table tasks is 'what; was asked'",
    '-- compatible: nobody of the version before reads it any more\nalter table tasks drop column colour',
  ];
  for (const sql of harmless)
    test(`${sql.replaceAll('\n', ' ')}`, () => assert.deepEqual(findIncompatibilities(sql, new Set()), []));

  const harmful: [sql: string, why: RegExp][] = [
    ['alter table tasks rename column message to body', /changes what is there/],
    ['alter table tasks drop column message', /changes what is there/],
    ['alter table tasks rename to jobs', /changes what is there/],
    ['alter table tasks add column a int not null', /writes rows without a/],
    ['alter table tasks add column a timestamptz default now()', /not constant/],
    ['alter table tasks add column a uuid not null default gen_random_uuid()', /not constant/],
    ['alter table tasks add column a bigint references apps', /ties rows/],
    ['alter table tasks add column a int, alter column message type jsonb', /changes what is there/],
    ['alter table tasks alter column expansions set not null', /changes what is there/],
    ['alter table tasks add constraint few check (expansions < 65)', /changes what is there/],
    ['create index tasks_x on tasks (x)', /create index concurrently/],
    ['create index inbox_x on only inbox (x)', /create index concurrently/],
    ['create index concurrently gates_x on gates (x)', /cannot be in one/],
    ['create unique index gates_x on gates (x)', /not unique in gates/],
    ["insert into apps (app_id) values ('x')", /reads apps too/],
    ['drop table gates', /no form that is known/],
    ['update tasks set message = null', /no form that is known/],
    ['create or replace function ring() returns int language sql as $$ select 2 $$', /no form that is known/],
    ['create table tasks_x partition of tasks for values from (1) to (2)', /no form that is known/],
    ['create table bells (x int);\n-- why not\ndrop index tasks_open', /no form that is known/],
    ['-- compatible: yes\ndrop table gates', /no form that is known/],
  ];
  for (const [sql, why] of harmful)
    test(`not: ${sql.replaceAll('\n', ' ')}`, () => {
      const harm = findIncompatibilities(sql, new Set());
      assert.equal(harm.length, 1);
      assert.match(harm[0] as string, why);
      assert.match(harm[0] as string, /Do it in two releases/);
    });

  test('a semicolon in a text, a comment or a body ends nothing', () => {
    const sql = `select ';' -- ; no\n, "a;b", $f$ ; $f$ /* ; */; -- why\nselect 2`;
    assert.deepEqual(splitStatements(sql), [
      { text: `select ';' , "a;b", $f$ ; $f$`, comments: [] },
      { text: 'select 2', comments: ['-- why'] },
    ]);
  });
});
