import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { databaseRoles } from '#src/storage/database/rights.ts';
import { roleSettings } from '../../scripts/stack/role-settings.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { connectDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';

describe('the credentials of a process', () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon();
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Runs a statement with the PostgreSQL role of a process. Returns the error code, or undefined if it succeeded. */
  async function tryStatement(role: (typeof databaseRoles)[number], statement: string): Promise<string | undefined> {
    const client = new pg.Client(roleSettings(carillon.settings, role).CARILLON_DATABASE_URL);
    await client.connect();
    try {
      await client.query('begin');
      await client.query(statement);
      return undefined;
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      await client.end();
    }
  }

  const PERMISSION_DENIED = '42501';

  const denied: Record<(typeof databaseRoles)[number], readonly string[]> = {
    gateway: [
      'select * from certificates',
      'select * from provider_tokens',
      'select token_hash from admin_tokens',
      'insert into admin_tokens (token_hash, app_id, name, scopes) values (sha256($$x$$), $$bells$$, $$x$$, $${push}$$)',
      'select * from callbacks',
      'select * from audit',
      'delete from audit',
      'select password_hash from users',
      'update users set disabled_at = null',
      'select private_key from apps',
      'update apps set disabled_at = null',
      'insert into user_tokens (token_hash, app_id, user_id, expires_at) values (sha256($$x$$), $$bells$$, 1, now())',
      'delete from user_tokens',
      'delete from revocations',
      'update tasks set message = $${}$$',
      'delete from tasks',
      'select * from request_keys',
      'select * from members',
      'create table stolen (a int)',
      'drop table tasks',
      'alter table certificates owner to carillon_gateway',
      'set role carillon_worker',
      'copy apps to program $$true$$',
    ],
    worker: [
      'select token_hash from admin_tokens',
      'insert into admin_tokens (token_hash, app_id, name, scopes) values (sha256($$x$$), $$bells$$, $$x$$, $${push}$$)',
      'select password_hash from users',
      'select private_key from apps',
      'insert into user_tokens (token_hash, app_id, user_id, expires_at) values (sha256($$x$$), $$bells$$, 1, now())',
      'insert into certificates select * from certificates',
      'update certificates set app_id = app_id',
      'update apps set disabled_at = null',
      'update audit set detail = $${}$$',
      'insert into audit (app_id, token_id, token_name, operation, detail, address) values ($$bells$$, 1, $$$$, $$$$, $$$$, $$$$)',
      'drop table certificates',
      'set role carillon_api',
    ],
    api: [
      'select * from provider_tokens',
      'update audit set operation = $$$$',
      'delete from audit',
      'delete from tasks',
      'delete from apps',
      'truncate tasks',
      'drop table tasks',
      'create table stolen (a int)',
      'set role carillon_worker',
    ],
  };

  for (const role of databaseRoles)
    for (const statement of denied[role])
      test(`of a ${role} do not permit: ${statement}`, async () => {
        assert.equal(await tryStatement(role, statement), PERMISSION_DENIED);
      });

  test('exist for every table and sequence: a new one has an entry in rights.ts', async () => {
    const databases = [carillon.storage.home, ...carillon.storage.shards.all];
    const names = await Promise.all(
      databases.map((db) =>
        db.query<{ name: string }>(
          `select c.relname as name
             from pg_class c
            where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S') and not c.relispartition
              and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i')
              and not exists (select from aclexplode(c.relacl) a where a.grantee::regrole::text ~ '^carillon_')
              and not exists (select from pg_attribute t, aclexplode(t.attacl) a
                               where t.attrelid = c.oid and a.grantee::regrole::text ~ '^carillon_')`,
        ),
      ),
    );
    const withoutRights = names.flat().map(({ name }) => name);
    assert.deepEqual([...new Set(withoutRights)].filter((name) => !name.endsWith('_migrations_id_seq')).sort(), []);
  });

  test('permit all that the processes did: no statement and no message was denied', async () => {
    const user = await carillon.createUser('ada');
    const login = await carillon.logIn(user, 'phone-of-ada');
    await using device = await connectDevice(carillon.gateways[0] as never, login);
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'hello' });
    await eventually(() => assert.deepEqual(device.taskIds, [taskId.toString()]));
    assert.deepEqual(
      carillon.logLines.filter((line) => /permission denied|nats-permission-denied|must be owner/.test(line)),
      [],
    );
  });
});

describe('the NATS user of a process', () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon({ apis: 0, gateways: 0, workers: 0 });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Publishes and subscribes with a user. Returns the operations that NATS denied. */
  async function findDenied(user: (typeof databaseRoles)[number], subject: string): Promise<string[]> {
    const settings = roleSettings(carillon.settings, user);
    const connection = await connect({
      servers: (settings.CARILLON_NATS_URLS as string).split(','),
      user: settings.CARILLON_NATS_USER as string,
      pass: settings.CARILLON_NATS_PASSWORD as string,
    });
    const deniedOperations: string[] = [];
    const statuses = connection.status();
    const reading = (async () => {
      for await (const status of statuses)
        if (status.type === 'error' && 'operation' in status.error) deniedOperations.push(`${status.error.operation}`);
    })();
    const fullSubject = `${settings.CARILLON_NATS_PREFIX}.${subject}`;
    connection.subscribe(fullSubject, { callback: () => undefined });
    connection.publish(fullSubject, '');
    await connection.flush(); // NATS responds in order, so both errors have arrived
    await connection.close();
    await reading;
    return deniedOperations.sort();
  }

  const BOTH = ['publish', 'subscription'];
  const cases: readonly [(typeof databaseRoles)[number], string, readonly string[]][] = [
    ['gateway', 'gateway.other.takeover', []],
    ['gateway', 'gateway.other.deliver', ['publish']],
    ['gateway', 'gateway.other.inbox', ['publish']],
    ['gateway', 'wake-up.prompt', BOTH],
    ['gateway', 'revocation', ['publish']],
    ['gateway', 'reply.of-a-worker', BOTH],
    ['gateway', '>', BOTH],
    ['api', 'gateway.other.deliver', BOTH],
    ['api', 'reply.of-a-worker', BOTH],
    ['api', 'wake-up.prompt', ['subscription']],
    ['worker', 'gateway.other.deliver', ['subscription']],
    ['worker', 'revocation', BOTH],
  ];
  for (const [user, subject, expected] of cases)
    test(`${user} and the subject ${subject}: ${expected.join(' and ') || 'nothing'} denied`, async () => {
      assert.deepEqual(await findDenied(user, subject), expected);
    });
});
