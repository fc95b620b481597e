import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { createLog } from '#src/foundation/log.ts';
import { inTransaction } from '#src/storage/database/database.ts';
import { deleteOldAuditEntries } from '#src/storage/users/audit-chain.ts';
import { chainAudit } from '#src/worker/upkeep/chain-audit.ts';
import { run } from '../../cli/support/run-command.ts';
import { seedAdminToken } from '../../scripts/dev/seed.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';

interface Page {
  readonly entries: number;
  readonly pending: number;
  readonly hash: string | null;
  readonly expected_found: boolean;
  readonly list: readonly { readonly audit_id: number; readonly reason: string }[];
  readonly next: string | null;
}

const log = createLog({ level: 'error', fields: { role: 'test' } });

const INSERT = `insert into audit (app_id, token_id, token_name, operation, detail, address, at)
                values ($1, 1, 'test', '/test', '{}', '127.0.0.1', now() - $2::int * interval '1 day')
                returning audit_id as "auditId"`;

describe('audit entries', () => {
  let carillon: Carillon;
  let platformToken: string;
  const role = `intruder_${randomBytes(6).toString('hex')}`;
  const sql = <T extends object>(text: string, values: readonly unknown[] = []) =>
    carillon.storage.home.query<T>(text, values);

  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 0 });
    platformToken = await seedAdminToken(carillon.storage.home, carillon.appId, ['platform']);
    await sql(`create role ${role}`);
    await sql(`grant all on all tables in schema public to ${role}`);
  });
  after(async () => {
    await sql(`drop owned by ${role}`);
    await sql(`drop role ${role}`);
    await carillon?.[Symbol.asyncDispose]();
  });

  /** Adds entries with requests. */
  async function addEntries(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await carillon.post('/admin/app/update', { token_days: 1 + i });
  }

  const chain = () => chainAudit(carillon.storage.home, log);

  /** Returns the totals of all pages. */
  async function verify(expect?: string): Promise<Omit<Page, 'next'>> {
    let page: Page = { entries: 0, pending: 0, hash: null, expected_found: false, list: [], next: null };
    do {
      const after = page.next ?? undefined;
      const body = { after, expect };
      const { data } = await carillon.post<Page>('/admin/audit/verify', body, { token: platformToken });
      page = {
        ...data,
        entries: page.entries + data.entries,
        expected_found: page.expected_found || data.expected_found,
      };
    } while (page.next !== null);
    return page;
  }

  const lastIds = async (count: number): Promise<bigint[]> => {
    const rows = await sql<{ id: bigint }>('select audit_id as id from audit order by 1 desc limit $1', [count]);
    return rows.map(({ id }) => id).reverse();
  };

  describe('cannot be changed by a role with all privileges that does not own the table', () => {
    const asIntruder = (statement: string) =>
      inTransaction(carillon.storage.home, async (tx) => {
        await tx.query(`set local role ${role}`);
        await tx.query(statement);
      });
    const attacks = {
      'update of the token': `update audit set token_name = 'another token'`,
      'update of the time': `update audit set at = now() - interval '500 days'`,
      'update that moves an entry': `update audit set app_id = 'bells', audit_id = default`,
      delete: 'delete from audit',
      truncate: 'truncate audit',
      'update of the chain': `update audit_chain set hash = '\\x00'`,
      'delete of the chain': 'delete from audit_chain',
      'truncate of the chain': 'truncate audit_chain',
    };
    for (const [name, statement] of Object.entries(attacks))
      test(name, async () => {
        await addEntries(2);
        if (statement.includes('audit_chain')) await chain();
        const before = await sql('select * from audit order by audit_id');
        await assert.rejects(asIntruder(statement), /cannot be changed/);
        assert.deepEqual(await sql('select * from audit order by audit_id'), before);
      });

    test('update of the detail adds an entry and changes none', async () => {
      await addEntries(1);
      const before = await sql<{ detail: string }>('select * from audit order by audit_id');
      await asIntruder(
        `update audit set detail = '{"forged":true}' where audit_id = (select max(audit_id) from audit)`,
      );
      const afterwards = await sql<{ detail: string }>('select * from audit order by audit_id');
      assert.deepEqual(afterwards.slice(0, before.length), before);
      assert.equal(afterwards.length, before.length + 1);
    });
  });

  describe('that the owner of the table changes are found', () => {
    /** Runs an attack without the triggers, returns the result of the check, and undoes the attack. */
    async function attack<T>(statements: readonly string[], check: () => Promise<T>): Promise<T> {
      await sql('create table audit_before as table audit');
      await sql('create table chain_before as table audit_chain');
      for (const table of ['audit', 'audit_chain']) await sql(`alter table ${table} disable trigger user`);
      try {
        for (const statement of statements) await sql(statement);
        return await check();
      } finally {
        await sql('truncate audit, audit_chain');
        await sql('insert into audit overriding system value select * from audit_before');
        await sql('insert into audit_chain select * from chain_before');
        for (const table of ['audit', 'audit_chain']) await sql(`alter table ${table} enable trigger user`);
        await sql('drop table audit_before, chain_before');
      }
    }

    let ids: [bigint, bigint, bigint, bigint];
    let gap: bigint;
    let hash: string;

    before(async () => {
      await addEntries(1);
      const [unused] = await sql<{ id: bigint }>(`select nextval(pg_get_serial_sequence('audit', 'audit_id')) as id`);
      gap = unused?.id as bigint;
      await addEntries(4);
      await chain();
      ids = (await lastIds(4)) as typeof ids;
      const intact = await verify();
      assert.deepEqual([intact.list, intact.pending], [[], 0]);
      hash = intact.hash as string;
      assert.match(hash, /^[0-9a-f]{64}$/);
    });

    const copyOf = (id: bigint, from: bigint) =>
      `insert into audit (audit_id, app_id, token_id, token_name, operation, detail, address, at) overriding system value
       select ${id}, app_id, token_id, token_name, operation, detail, address, at from audit where audit_id = ${from}`;
    const found = async (...statements: string[]) =>
      (await attack(statements, verify)).list.map(({ audit_id, reason }) => [BigInt(audit_id), reason]);

    for (const [column, value] of Object.entries({
      app_id: `'other'`,
      token_id: '77',
      token_name: `'another token'`,
      operator_id: '77',
      operation: `'/admin/app/get'`,
      detail: `'{}'`,
      address: `'10.0.0.1'`,
      at: `at + interval '1 microsecond'`,
      result_of: '1',
    }))
      test(`a changed ${column}`, async () => {
        await carillon.addApp('other').catch(() => undefined);
        const statement = `update audit set ${column} = ${value} where audit_id = ${ids[1]}`;
        assert.deepEqual(await found(statement), [[ids[1], 'entry-changed']]);
      });

    for (const value of ['78', 'null'])
      test(`the operator of an entry that is changed to ${value}`, async () => {
        const [row] = await sql<{ id: bigint }>(
          `insert into audit (app_id, token_id, token_name, operator_id, operation, detail, address)
           values (null, 0, 'ada@example.com', 77, '/test', '{}', '127.0.0.1')
           returning audit_id as id`,
        );
        await chain();
        assert.deepEqual(await found(), []);
        const statement = `update audit set operator_id = ${value} where audit_id = ${row?.id}`;
        assert.deepEqual(await found(statement), [[row?.id, 'entry-changed']]);
      });

    test('a deleted entry', async () => {
      assert.deepEqual(await found(`delete from audit where audit_id = ${ids[1]}`), [[ids[1], 'entry-missing']]);
    });

    test('a deleted entry whose link is also deleted', async () => {
      const statements = ['audit', 'audit_chain'].map((table) => `delete from ${table} where audit_id = ${ids[1]}`);
      assert.deepEqual(await found(...statements), [[ids[2], 'link-broken']]);
    });

    test('the last entry, if only the entry is deleted', async () => {
      assert.deepEqual(await found(`delete from audit where audit_id = ${ids[3]}`), [[ids[3], 'entry-missing']]);
    });

    test('an inserted entry', async () => {
      assert.deepEqual(await found(copyOf(gap, ids[0])), [[gap, 'not-chained']]);
    });

    test('an inserted entry with a link', async () => {
      const link = `insert into audit_chain
                    select ${gap}, hash, sha256('forged') from audit_chain where audit_id < ${gap}
                     order by audit_id desc limit 1`;
      assert.deepEqual(await found(copyOf(gap, ids[0]), link), [[gap, 'entry-changed']]);
    });

    test('two entries in another order', async () => {
      const swap = `update audit a set detail = b.detail, at = b.at from audit b
                     where (a.audit_id, b.audit_id) in ((${ids[0]}, ${ids[1]}), (${ids[1]}, ${ids[0]}))`;
      assert.deepEqual(await found(swap), [[ids[0], 'entry-changed']]);
    });

    test('a truncated table', async () => {
      const [first] = await sql<{ id: bigint }>('select min(audit_id) as id from audit_chain');
      assert.deepEqual(await found('truncate audit'), [[first?.id, 'entry-missing']]);
    });

    test('the oldest entries, if they are not old enough to be deleted', async () => {
      const statements = ['audit', 'audit_chain'].map((table) => `delete from ${table} where audit_id <= ${ids[0]}`);
      assert.deepEqual(await found(...statements), [[ids[1], 'start-missing']]);
    });

    test('the last entries and their links, if the hash was kept elsewhere', async () => {
      const statements = ['audit', 'audit_chain'].map((table) => `delete from ${table} where audit_id >= ${ids[2]}`);
      const shortened = await attack(statements, () => verify(hash));
      assert.deepEqual([shortened.list, shortened.expected_found], [[], false]);
      await addEntries(1);
      await chain();
      assert.equal((await verify(hash)).expected_found, true, 'a longer chain still contains the hash');
    });

    test('a chain that was computed again, if the hash was kept elsewhere', async () => {
      const { expected_found: isFound } = await attack(
        [`update audit set detail = '{"forged":true}' where audit_id = ${ids[1]}`, 'truncate audit_chain'],
        () => verify(hash),
      );
      assert.equal(isFound, false);
    });

    test('by the command, which prints the first entry and fails', async () => {
      const env = {
        CARILLON_URL: carillon.apis[0]?.apiUrl as string,
        CARILLON_APP_ID: carillon.appId,
        CARILLON_ADMIN_TOKEN: platformToken,
        NO_COLOR: '1',
      };
      const intact = await run(['audit', 'verify', '--expect', hash, '--json'], env);
      assert.deepEqual([intact.code, intact.stderr], [0, '']);
      assert.match((JSON.parse(intact.stdout) as { hash: string }).hash, /^[0-9a-f]{64}$/);
      const unexpected = await run(['audit', 'verify', '--expect', 'f'.repeat(64)], env);
      assert.equal(unexpected.code, 1);
      assert.match(unexpected.stdout, /expected_found: +no/);
      const changed = await attack([`update audit set token_id = 77 where audit_id = ${ids[1]}`], () =>
        run(['audit', 'verify'], env),
      );
      assert.equal(changed.code, 1);
      assert.match(changed.stdout, new RegExp(`${ids[1]} +entry-changed`));
    });
  });

  test('are chained in order, even if an entry is committed later than entries with higher IDs', async () => {
    await chain();
    const late = new Client({ connectionString: carillon.settings.CARILLON_DATABASE_URL });
    await late.connect();
    try {
      await late.query('begin');
      const { rows } = await late.query<{ auditId: string }>(INSERT, [carillon.appId, 0]);
      const lateId = BigInt(rows[0]?.auditId as string);
      await addEntries(2);
      const [, lastId] = (await lastIds(2)) as [bigint, bigint];
      assert.ok(lastId > lateId, 'an entry with a higher ID is committed');
      await chain().catch(() => undefined);
      const links = await sql('select 1 from audit_chain where audit_id >= $1', [lateId]);
      assert.deepEqual(links, [], 'later entries wait for the open transaction');
      await late.query('commit');
      await chain();
      const { list, pending } = await verify();
      assert.deepEqual([list, pending], [[], 0]);
      const chained = await sql<{ id: bigint }>('select audit_id as id from audit_chain where audit_id >= $1', [
        lateId,
      ]);
      assert.equal(chained.length, 3);
    } finally {
      await late.end();
    }
  });

  test('are chained once by several workers at the same time', async () => {
    await addEntries(20);
    await Promise.allSettled(Array.from({ length: 4 }, chain));
    await chain();
    const { list, pending } = await verify();
    assert.deepEqual([list, pending], [[], 0]);
  });

  test('are chained by a worker', async () => {
    await addEntries(2);
    await carillon.start('worker');
    // If an open insert prevents the first run, the next one follows after a minute.
    await eventually(async () => assert.equal((await verify()).pending, 0), 90);
  });
});

describe('audit entries in large numbers', () => {
  const ENTRIES = 2_500;

  test('are verified page by page', async () => {
    await using carillon = await startCarillon({ gateways: 0, workers: 0 });
    const { home } = carillon.storage;
    await home.query(
      `insert into audit (app_id, token_id, token_name, operation, detail, address)
       select $1, 1, 'test', '/test', '{}', '127.0.0.1' from generate_series(1, ${ENTRIES})`,
      [carillon.appId],
    );
    await chainAudit(home, log);
    const token = await seedAdminToken(home, carillon.appId, ['platform']);
    const pages: Page[] = [];
    for (let next: string | null | undefined; next !== null; next = pages.at(-1)?.next)
      pages.push((await carillon.post<Page>('/admin/audit/verify', { after: next }, { token })).data);
    assert.deepEqual(
      pages.map(({ entries }) => entries),
      [1_000, 1_000, 500],
    );
    assert.ok(pages.every(({ list }) => list.length === 0));
    const [first] = pages as [Page];
    const body = { after: first.next?.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) };
    const { data } = await carillon.post<Page>('/admin/audit/verify', body, { token });
    assert.equal(data.list[0]?.reason, 'link-broken', 'a page must continue the chain of the page before it');
  });
});

describe('audit entries that are older than 400 days', () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 0 });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  test('are deleted, except for the last one, and the rest of the chain can be verified', async () => {
    const { home } = carillon.storage;
    const ids: bigint[] = [];
    for (const days of [500, 450, 402, 401, 399, 0]) {
      const [row] = await home.query<{ auditId: bigint }>(INSERT, [carillon.appId, days]);
      ids.push(row?.auditId as bigint);
    }
    assert.equal(await deleteOldAuditEntries(home, 100), 0, 'entries that are not chained are kept');
    await chainAudit(home, log);
    assert.equal(await deleteOldAuditEntries(home, 2), 2);
    assert.equal(await deleteOldAuditEntries(home, 2), 1);
    assert.equal(await deleteOldAuditEntries(home, 2), 0);
    for (const table of ['audit', 'audit_chain']) {
      const rows = await home.query<{ id: bigint }>(`select audit_id as id from ${table} order by 1`);
      assert.deepEqual(
        rows.map(({ id }) => id),
        ids.slice(3),
        table,
      );
    }
    const token = await seedAdminToken(home, carillon.appId, ['platform']);
    const { data } = await carillon.post<Page>('/admin/audit/verify', {}, { token });
    assert.deepEqual([data.list, data.entries, data.next], [[], 3, null]);
  });
});
