import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { connectSwarmDevice } from '../../support/device-swarm.ts';
import { eventually } from '../../support/eventually.ts';
import { countInboxRows } from '../../support/ledger.ts';

/** Reconciliation does not run during the test, so it cannot cause the delivery of a notification. */
const SETTINGS = { CARILLON_GATEWAY_RECONCILE_SECONDS: '600' };
const PROMPT_SECONDS = 8;

interface TableLock extends AsyncDisposable {
  /** Resolves when a transaction is waiting to write to the table. */
  hasWaiter(): Promise<void>;
  release(): Promise<void>;
}

describe('a notification is put in the inbox while its device connects', () => {
  let carillon: Carillon;
  let phones = 0;

  before(async () => {
    carillon = await startCarillon({ settings: SETTINGS });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  async function newPhone(): Promise<Login & { userId: bigint }> {
    const { storage, appId } = carillon;
    const userId = await addUser(storage.home, appId);
    return { ...(await addDevice(storage, { appId, userId, deviceGuid: `phone-${phones++}` })), userId };
  }
  const connect = (login: Login) => connectSwarmDevice(carillon.gateways[0]?.ports.gateway as number, login);

  /** Blocks writes to a table in every shard database until the returned object is disposed. Reads are not blocked. */
  async function holdUp(table: 'inbox' | 'sessions'): Promise<TableLock> {
    const clients = carillon.shardUrls.map((url) => new Client({ connectionString: url }));
    for (const client of clients) {
      await client.connect();
      await client.query('begin');
      await client.query(`lock table ${table} in exclusive mode`);
    }
    let isLocked = true;
    const release = async () => {
      if (isLocked) for (const client of clients) await client.end(); // Ends the transaction.
      isLocked = false;
    };
    return {
      release,
      hasWaiter: () =>
        eventually(async () => {
          const counts = await Promise.all(
            clients.map((client) =>
              client.query(`select from pg_locks where not granted and relation = '${table}'::regclass`),
            ),
          );
          assert.ok(
            counts.some(({ rowCount }) => rowCount),
            `no transaction is waiting to write to ${table}`,
          );
        }, PROMPT_SECONDS),
      [Symbol.asyncDispose]: release,
    };
  }

  test('a session is announced before its inbox is read, so a notification added in between is delivered', async () => {
    const login = await newPhone();
    await using sessions = await holdUp('sessions');
    const connecting = connect(login);
    await sessions.hasWaiter();
    // The worker finds no session, so it sends no wake-up signal.
    const taskId = await carillon.notify({ user_id: [login.userId] }, { body: 'between' });
    await eventually(async () => assert.equal(await countInboxRows(carillon.storage, taskId), 1));
    await sessions.release();
    using device = await connecting;
    await eventually(() => assert.deepEqual(device.taskIds, [taskId.toString()]), PROMPT_SECONDS);
  });

  test('presence is read after the notification is in the inbox, so a device that connected in between is woken', async () => {
    const login = await newPhone();
    await using inbox = await holdUp('inbox');
    const taskId = await carillon.notify({ user_id: [login.userId] }, { body: 'between' });
    await inbox.hasWaiter();
    using device = await connect(login);
    // The gateway has accepted the connection, and it responds to a ping only after it has read the inbox, which is
    // empty.
    device.send({ cmd: 'pingreq' });
    await eventually(() => assert.ok(device.pongs > 0));
    await inbox.release();
    await eventually(() => assert.deepEqual(device.taskIds, [taskId.toString()]), PROMPT_SECONDS);
  });
});
