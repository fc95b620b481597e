import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { parse } from 'yaml';
import { type ComposeFile, deploy, readCompose, readDeploy, readEnvironment } from './compose-file.ts';

const { services, ...rest } = parse(readDeploy('compose.backup.yaml')) as ComposeFile;
const { command = [], environment = {}, volumes = [], ...others } = services.postgres ?? {};

describe('deploy/compose.backup.yaml', () => {
  test('extends the command of PostgreSQL in compose.yaml, and changes no other service', () => {
    assert.deepEqual([Object.keys(services), rest, others], [['postgres'], {}, {}]);
    const before = readCompose().services.postgres?.command ?? [];
    assert.deepEqual(command.slice(0, before.length), before);
    const added = command.slice(before.length).filter((word) => word !== '-c');
    assert.deepEqual(
      added.map((word) => word.split('=')[0]),
      ['archive_mode', 'archive_timeout', 'archive_command'],
    );
    // Settings on the command line override those that a restore drill writes into PostgreSQL's configuration files, so
    // `archive_mode` must be a variable.
    assert.match(added[0] ?? '', /^archive_mode=\$\{ARCHIVE_MODE:-on\}$/);
  });

  test('requires a directory that .env.example names, and is disabled by default', () => {
    const example = readDeploy('.env.example');
    const named = readEnvironment(example.replaceAll(/^#(?=[A-Z_]+=)/gm, ''));
    assert.equal(named.COMPOSE_FILE, 'compose.yaml:compose.backup.yaml');
    assert.match(volumes.join(' '), /\$\{BACKUP_DIRECTORY:\?/);
    assert.ok('BACKUP_DIRECTORY' in named);
    assert.ok(!('COMPOSE_FILE' in readEnvironment(example)));
  });

  describe('the archive command, run by a shell with the mounted script', () => {
    let place: string;
    before(() => {
      place = mkdtempSync(join(tmpdir(), 'carillon-archive-'));
    });
    beforeEach(() => mkdirSync(join(place, 'backup/wal'), { recursive: true }));
    afterEach(() => rmSync(join(place, 'backup'), { recursive: true }));
    after(() => rmSync(place, { recursive: true }));

    const text = command.at(-1)?.replace('archive_command=', '').replaceAll('$$', '$') as string;
    const archive = (name: string, content: string, more = '') => {
      writeFileSync(join(place, 'segment'), content);
      const filled = text.replaceAll('%p', 'segment').replaceAll('%f', name);
      const env = { PATH: process.env.PATH, CARILLON: join(deploy, '..'), BACKUP: join(place, 'backup') };
      execFileSync('sh', ['-c', `${filled} ${more}`], { cwd: place, env, stdio: 'pipe' });
    };
    const kept = () => readdirSync(join(place, 'backup/wal')).toSorted();

    test('stores a segment and never overwrites an existing segment', () => {
      assert.ok(volumes.includes(`./backup:${environment.CARILLON}/deploy/backup:ro`));
      assert.ok(volumes.some((volume) => volume.endsWith(`:${environment.BACKUP}`)));
      const name = '000000010000000000000001';
      archive(name, 'content of a segment');
      archive(name, 'content of a segment'); // PostgreSQL archives the same segment again after a crash
      assert.deepEqual(kept(), [`${name}.gz`]);
      assert.throws(() => archive(name, 'other content'), /is not this segment/);
      const content = execFileSync('gzip', ['-dc', join(place, `backup/wal/${name}.gz`)]);
      assert.equal(content.toString(), 'content of a segment');
    });

    test('accepts any first timeline, and another timeline only with new-timeline', () => {
      archive('000000030000000000000007', 'from a cluster that was restored before');
      archive('000000030000000000000008', 'the next segment');
      assert.throws(() => archive('00000004.history', 'whence'), /begins a new timeline/);
      assert.throws(() => archive('000000040000000000000008', 'new content'), /begins a new timeline/);
      assert.equal(kept().length, 2);
      archive('00000004.history', 'whence', 'new-timeline');
      archive('00000004.history', 'whence'); // PostgreSQL can now archive the history file
      archive('000000040000000000000008', 'new content');
      assert.equal(kept().length, 4);
    });
  });
});
