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

    test(`${kind} migrations are numbered without gaps and state their reason`, () => {
      const files = filesOf(kind);
      for (const [i, file] of files.entries()) {
        assert.match(file, /^\d{4}-[a-z0-9-]+\.sql$/);
        assert.equal(Number(file.slice(0, 4)), i + 1, `${file} is not number ${i + 1}`);
        assert.match(
          read(`${folder}/${file}`),
          /^-- Why: /,
          `the first line of ${file} does not start with "-- Why: "`,
        );
      }
    });

    test(`${kind} migrations of the previous version are unchanged`, { skip }, () => {
      const before = listPreviousFiles(folder);
      assert.ok(before.length > 0);
      const changed = before.filter(
        (file) =>
          withoutComments(readPreviousFile(`${folder}/${file}`)) !== withoutComments(readOr(`${folder}/${file}`)),
      );
      assert.deepEqual(
        changed,
        [],
        'Databases that already ran these migrations would not get the change. Write a new migration.',
      );
    });

    test(`${kind} migrations added since the previous version were committed only once`, { skip }, () => {
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
          `${file} was edited after it was committed: ${landed.join(', ')}. Write a new migration.`,
        );
      }
    });

    test(`${kind} migrations added since the previous version are compatible with it`, { skip }, () => {
      const before = new Set(listPreviousFiles(folder));
      const made = new Set<string>();
      for (const file of filesOf(kind).filter((each) => !before.has(each)))
        assert.deepEqual(findIncompatibilities(read(`${folder}/${file}`), made), [], file);
    });
  }

  test('the tables in the list of small tables exist', () => {
    const all = kinds.flatMap((kind) => filesOf(kind).map((file) => read(`migrations/${kind}/${file}`))).join('\n');
    const missing = [...SMALL_TABLES].filter(
      (table) => !new RegExp(`^create (unlogged )?table ${table} `, 'm').test(all),
    );
    assert.deepEqual(missing, []);
  });

  const readOr = (path: string) =>
    filesOf(path.split('/')[1] as string).includes(path.split('/')[2] as string) ? read(path) : undefined;
});

describe('rules for migrations', () => {
  const harmless = [
    'create table bells (bell_id bigint primary key, rings int not null)',
    'create unlogged table if not exists bells (x int); create unique index on bells (x)',
    "create table bells (x text); insert into bells values ('a;b'), ('it''s'); alter table bells rename x to y",
    'alter table tasks add column colour text',
    "alter table tasks add column a int check (a > 0), add column b timestamptz not null default '-infinity'",
    "alter table tasks add column tags text[] not null default '{}'::text[], add c numeric default -1.5 not null",
    'create index gates_why on breakers (why)',
    'create index tasks_x on only tasks (x)',
    'create function ring() returns int language sql as $$ select 1; select 2; $$',
    "comment on table tasks is 'what; was asked'",
    '-- compatible: the previous version no longer reads this column\nalter table tasks drop column colour',
  ];
  for (const sql of harmless)
    test(`${sql.replaceAll('\n', ' ')}`, () => assert.deepEqual(findIncompatibilities(sql, new Set()), []));

  const harmful: [sql: string, why: RegExp][] = [
    ['alter table tasks rename column message to body', /changes an existing object/],
    ['alter table tasks drop column message', /changes an existing object/],
    ['alter table tasks rename to jobs', /changes an existing object/],
    ['alter table tasks add column a int not null', /writes rows without a/],
    ['alter table tasks add column a timestamptz default now()', /not constant/],
    ['alter table tasks add column a uuid not null default gen_random_uuid()', /not constant/],
    ['alter table tasks add column a bigint references apps', /constrains rows/],
    ['alter table tasks add column a int, alter column message type jsonb', /changes an existing object/],
    ['alter table tasks alter column by_range set not null', /changes an existing object/],
    ['alter table tasks add constraint few check (epoch < 65)', /changes an existing object/],
    ['create index tasks_x on tasks (x)', /create index concurrently/],
    ['create index inbox_x on only inbox (x)', /create index concurrently/],
    ['create index concurrently gates_x on breakers (x)', /is not possible/],
    ['create unique index gates_x on breakers (x)', /not unique in breakers/],
    ["insert into apps (app_id) values ('x')", /also reads apps/],
    ['drop table breakers', /not one of the forms/],
    ['update tasks set message = null', /not one of the forms/],
    ['create or replace function ring() returns int language sql as $$ select 2 $$', /not one of the forms/],
    ['create table tasks_x partition of tasks for values from (1) to (2)', /not one of the forms/],
    ['create table bells (x int);\n-- why not\ndrop index tasks_open', /not one of the forms/],
    ['-- compatible: yes\ndrop table breakers', /not one of the forms/],
  ];
  for (const [sql, why] of harmful)
    test(`not: ${sql.replaceAll('\n', ' ')}`, () => {
      const harm = findIncompatibilities(sql, new Set());
      assert.equal(harm.length, 1);
      assert.match(harm[0] as string, why);
      assert.match(harm[0] as string, /Make the change in two releases/);
    });

  test('a semicolon inside a string, a comment or a function body does not end a statement', () => {
    const sql = `select ';' -- ; no\n, "a;b", $f$ ; $f$ /* ; */; -- why\nselect 2`;
    assert.deepEqual(splitStatements(sql), [
      { text: `select ';' , "a;b", $f$ ; $f$`, comments: [] },
      { text: 'select 2', comments: ['-- why'] },
    ]);
  });
});

/** Comments may be rewritten, because a database never sees them. */
function withoutComments(sql: string | undefined): string | undefined {
  return sql?.replace(/\s*--.*$/gm, '');
}
