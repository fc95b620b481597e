import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, rename, rmdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { type Cluster, startCluster } from './restore/cluster.ts';
import { archiveEverything, readPage } from './restore/page.ts';

const NOTES = 4;
/** History file of the second timeline, which the first restore starts. */
const HISTORY = '00000002.history';

const { archive, lookAtArchive, baseBackup, prune } = readPage('docs/operate/backup.md');
const { putBack, awaitReplay, beginTimeline } = readPage('docs/operate/restore.md');

describe('a restore with faults', () => {
  let cluster: Cluster;
  let from: string;
  /** Times recorded after each note was written, and the WAL segments that contain the notes. */
  const moments: string[] = [];
  const segments: string[] = [];

  before(async () => {
    cluster = await startCluster();
    await cluster.run(archive);
    await cluster.ask('create table notes (note int)');
    await cluster.run(baseBackup);
    from = join(cluster.backup, 'base', readdirSync(join(cluster.backup, 'base'))[0] as string);
    for (let note = 1; note <= NOTES; note++) {
      await cluster.ask(`insert into notes values (${note})`);
      moments.push(await cluster.ask('select clock_timestamp()'));
      segments.push(await cluster.ask('select pg_walfile_name(pg_current_wal_lsn())'));
      await archiveEverything(cluster, lookAtArchive);
    }
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  const notes = () => cluster.ask('select count(*) from notes').then(Number);
  const hasPromoted = () => existsSync(join(cluster.dataDirectory, 'pg_wal', HISTORY));

  async function restore(more: { readonly TARGET?: string; readonly DRILL?: string } = {}): Promise<void> {
    await cluster.run(putBack, { FROM: from, TARGET: '', ...more });
    await cluster.run(awaitReplay);
  }

  /** Returns the files of the archive with their modification times. */
  const kept = () =>
    readdirSync(join(cluster.backup, 'wal'))
      .toSorted()
      .map((name) => [name, statSync(join(cluster.backup, 'wal', name)).mtimeMs]);

  /** Each fault changes the archive, and returns a function that repairs it. */
  const faults = {
    'a truncated segment': async () => {
      const file = join(cluster.backup, 'wal', `${segments[2]}.gz`);
      const whole = await readFile(file);
      await truncate(file, Math.floor(whole.length / 2));
      return () => writeFile(file, whole);
    },
    'a missing segment': () => takeAway(join('wal', `${segments[2]}.gz`)),
    'a missing archive': () => takeAway('wal'),
    'an archive that is not mounted': async () => {
      const bringBack = await takeAway('wal');
      await mkdir(join(cluster.backup, 'wal'));
      return async () => {
        await rmdir(join(cluster.backup, 'wal'));
        await bringBack();
      };
    },
  };

  async function takeAway(name: string): Promise<() => Promise<void>> {
    const [place, elsewhere] = [join(cluster.backup, name), join(cluster.backup, 'elsewhere')];
    await rename(place, elsewhere);
    return () => rename(elsewhere, place);
  }

  for (const [fault, make] of Object.entries(faults))
    test(`${fault} stops the restore, and is not mistaken for the end of the WAL`, async () => {
      const mend = await make();
      try {
        await assert.rejects(restore(), /could not restore file .* exit code 255/);
        await assert.rejects(cluster.run(awaitReplay), /PostgreSQL has ended/);
        assert.ok(!hasPromoted());
      } finally {
        await mend();
      }
      await cluster.run('$PG_START');
      await cluster.run(awaitReplay);
      assert.ok(hasPromoted(), 'the restore continues to the end of the WAL');
      assert.equal(await notes(), NOTES);
    });

  test('PostgreSQL is not started with a damaged backup, even if the shell continues after a failed command', async () => {
    const broken = join(cluster.stack.directory, 'postgres/broken');
    await cluster.run(`cp -r "${from}" ${broken} && truncate --size=-100 ${broken}/pg_wal.tar.gz`);
    await assert.rejects(cluster.run(`set +eu\n${putBack}`, { FROM: broken, TARGET: '' }), /pg_wal|tar:/);
    await assert.rejects(cluster.run('pg_ctl status'), 'PostgreSQL is not running');
    await restore();
    assert.equal(await notes(), NOTES, 'an intact backup can replace the damaged one');
  });

  test('waits for the end of the replay while PostgreSQL accepts no connections', async () => {
    const delayed = join(cluster.stack.directory, 'postgres/delayed');
    const { PG_START, CARILLON } = cluster.environment;
    await cluster.run(`mkdir -p ${delayed}/deploy/backup
cat >${delayed}/deploy/backup/fetch-wal <<'SH'
#!/usr/bin/env bash
until [ -e ${delayed}/open ]; do sleep 0.1; done
exec ${CARILLON}/deploy/backup/fetch-wal "$@"
SH
chmod +x ${delayed}/deploy/backup/fetch-wal`);
    const start = `${PG_START} --no-wait`;
    await cluster.run(putBack, { FROM: from, TARGET: '', CARILLON: delayed, PG_START: start });
    const isRefused = () => assert.rejects(cluster.ask('select 1'), /starting up/);
    await eventually(isRefused);
    const replay = cluster.run(awaitReplay);
    await Promise.race([replay, isRefused()]);
    await cluster.run(`touch ${delayed}/open`);
    await replay;
    assert.equal(await notes(), NOTES);
  });

  test('a drill leaves the archive unchanged', async () => {
    const before = kept();
    await restore({ DRILL: 'yes' });
    assert.equal(await cluster.ask('show archive_mode'), 'off');
    await cluster.ask('insert into notes values (0)');
    await cluster.ask('select pg_switch_wal()');
    await cluster.run('$PG_STOP');
    assert.deepEqual(kept(), before);
  });

  test('another point in time can be chosen until the archive accepts the new timeline', async () => {
    const before = kept();
    for (const note of [2, 1, 3]) {
      await restore({ TARGET: moments[note - 1] as string });
      assert.equal(await notes(), note);
      await eventually(async () => {
        assert.equal(await cluster.ask('select last_failed_wal from pg_stat_archiver'), HISTORY);
      });
    }
    assert.ok(globSync(`${cluster.dataDirectory}.lost-*`).length > 3, 'nothing was deleted');
    assert.deepEqual(kept(), before);

    await cluster.run(beginTimeline);
    await cluster.ask('insert into notes values (5)');
    await archiveEverything(cluster, lookAtArchive);
    await restore();
    const followed = await cluster.ask(`select string_agg(note::text, ' ' order by note) from notes`);
    assert.equal(followed, '1 2 3 5', 'the next restore follows the new timeline');
  });

  test('removes incomplete base backups, except those in progress', async () => {
    const base = join(cluster.backup, 'base');
    const [whole] = readdirSync(base) as [string];
    const [broken, written, newer] = ['20200101T000000Z', '20200102T000000Z', '20990101T000000Z'];
    await cluster.run(
      `cd "$BACKUP/base"
for name in ${broken} ${written} ${newer}; do mkdir $name; touch $name/base.tar.gz; done
touch --date='2 hours ago' ${broken} ${broken}/* ${newer} ${newer}/*`,
    );
    await cluster.run(prune);
    assert.deepEqual(readdirSync(base).toSorted(), [written, whole, newer]);
  });
});
