import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { addPhone, addUser } from '../../support/add-device.ts';
import { type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { connectSwarmDevice } from '../../support/device-swarm.ts';
import { eventually } from '../../support/eventually.ts';
import { inboxRows } from '../../support/ledger.ts';

/** A walk is far away: what arrives was not found by one. */
const SETTINGS = { CARILLON_GATEWAY_WALK_SECONDS: '600' };
const PROMPT_SECONDS = 8;

interface HeldUp extends AsyncDisposable {
  /** Resolves when somebody wants to write. */
  somebodyWaits(): Promise<void>;
  release(): Promise<void>;
}

describe('a message is laid into an inbox while its device connects', () => {
  let carillon: Carillon;
  let phones = 0;

  before(async () => {
    carillon = await startCarillon({ settings: SETTINGS });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  async function newPhone(): Promise<Login & { userId: bigint }> {
    const { truth, appId } = carillon;
    const userId = await addUser(truth.home, appId);
    return { ...(await addPhone(truth, { appId, userId, deviceGuid: `phone-${phones++}` })), userId };
  }
  const connect = (login: Login) => connectSwarmDevice(carillon.gateways[0]?.ports.gateway as number, login);

  /** Nobody writes to a table, in any shard database, until this is disposed; everybody may read it. */
  async function holdUp(table: 'inbox' | 'sessions'): Promise<HeldUp> {
    const urls = (carillon.settings.CARILLON_SHARD_DATABASES as string).split(' ').map((entry) => entry.split('=')[1]);
    const clients = urls.map((url) => new Client({ connectionString: url as string }));
    for (const client of clients) {
      await client.connect();
      await client.query('begin');
      await client.query(`lock table ${table} in exclusive mode`);
    }
    let held = true;
    const release = async () => {
      if (held) for (const client of clients) await client.end(); // which ends the transaction
      held = false;
    };
    return {
      release,
      somebodyWaits: () =>
        eventually(async () => {
          const counts = await Promise.all(
            clients.map((client) =>
              client.query(`select from pg_locks where not granted and relation = '${table}'::regclass`),
            ),
          );
          assert.ok(
            counts.some(({ rowCount }) => rowCount),
            `nobody waits to write to ${table}`,
          );
        }, PROMPT_SECONDS),
      [Symbol.asyncDispose]: release,
    };
  }

  test('a session is announced before its inbox is read: what came in between is seen', async () => {
    const login = await newPhone();
    await using sessions = await holdUp('sessions');
    const connecting = connect(login);
    await sessions.somebodyWaits();
    // For the worker nobody is connected, so it wakes nobody.
    const taskId = await carillon.notify({ user_id: [login.userId] }, { body: 'between' });
    await eventually(async () => assert.equal(await inboxRows(carillon.truth, taskId), 1));
    await sessions.release();
    using device = await connecting;
    await eventually(() => assert.deepEqual(device.taskIds, [taskId.toString()]), PROMPT_SECONDS);
  });

  test('presence is read after the message is in the inbox: who connected in between is woken', async () => {
    const login = await newPhone();
    await using inbox = await holdUp('inbox');
    const taskId = await carillon.notify({ user_id: [login.userId] }, { body: 'between' });
    await inbox.somebodyWaits();
    using device = await connect(login);
    // It has been welcomed, and the gateway answers a ping after it has asked for the inbox, in which nothing is.
    device.send({ cmd: 'pingreq' });
    await eventually(() => assert.ok(device.pongs > 0));
    await inbox.release();
    await eventually(() => assert.deepEqual(device.taskIds, [taskId.toString()]), PROMPT_SECONDS);
  });
});
