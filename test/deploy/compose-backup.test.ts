import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { type ComposeFile, deploy, readCompose, readDeploy, readEnvironment } from './compose-file.ts';

const { services, ...rest } = parse(readDeploy('compose.backup.yaml')) as ComposeFile;
const { command = [], environment = {}, volumes = [], ...others } = services.postgres ?? {};

describe('deploy/compose.backup.yaml', () => {
  test("adds to what PostgreSQL is told in compose.yaml, and changes nobody else's", () => {
    assert.deepEqual([Object.keys(services), rest, others], [['postgres'], {}, {}]);
    const before = readCompose().services.postgres?.command ?? [];
    assert.deepEqual(command.slice(0, before.length), before);
    const added = command.slice(before.length).filter((word) => word !== '-c');
    assert.deepEqual(
      added.map((word) => word.split('=')[0]),
      ['archive_mode', 'archive_timeout', 'archive_command'],
    );
  });

  test('asks for a directory that .env.example names, and is off there', () => {
    const example = readDeploy('.env.example');
    const named = readEnvironment(example.replaceAll(/^#(?=[A-Z_]+=)/gm, ''));
    assert.equal(named.COMPOSE_FILE, 'compose.yaml:compose.backup.yaml');
    assert.match(volumes.join(' '), /\$\{BACKUP_DIRECTORY:\?/);
    assert.ok('BACKUP_DIRECTORY' in named);
    assert.ok(!('COMPOSE_FILE' in readEnvironment(example)));
  });

  test('its command keeps a segment as a shell understands it, by the script that is mounted', () => {
    assert.ok(volumes.includes(`./backup:${environment.CARILLON}/deploy/backup:ro`));
    assert.ok(volumes.some((volume) => volume.endsWith(`:${environment.BACKUP}`)));
    const place = mkdtempSync(join(tmpdir(), 'carillon-archive-'));
    try {
      mkdirSync(join(place, 'backup/wal'), { recursive: true });
      writeFileSync(join(place, 'segment'), 'what is written ahead');
      const text = command.at(-1)?.replace('archive_command=', '').replaceAll('$$', '$') as string;
      const filled = text.replaceAll('%p', 'segment').replaceAll('%f', '000000010000000000000001');
      const env = { PATH: process.env.PATH, CARILLON: join(deploy, '..'), BACKUP: join(place, 'backup') };
      const archive = () => execFileSync('sh', ['-c', filled], { cwd: place, env, stdio: 'pipe' });
      archive();
      archive(); // told again after a crash
      assert.deepEqual(readdirSync(join(place, 'backup/wal')), ['000000010000000000000001.gz']);
      writeFileSync(join(place, 'segment'), 'something else');
      assert.throws(archive, /is not this segment/, 'nothing is overwritten');
      const kept = execFileSync('gzip', ['-dc', join(place, 'backup/wal/000000010000000000000001.gz')]);
      assert.equal(kept.toString(), 'what is written ahead');
    } finally {
      rmSync(place, { recursive: true });
    }
  });
});
