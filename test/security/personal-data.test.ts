import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import { parseJson } from '#src/foundation/json.ts';
import { hashVendorToken } from '#src/storage/devices/bindings.ts';
import { registerDevice } from '#src/storage/devices/ownership.ts';
import { moveVendorToken } from '#src/storage/devices/vendor-token-owners.ts';
import { acceptTasks } from '#src/storage/ledger/tasks.ts';
import { findUserToken } from '#src/storage/users/tokens.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { connectDevice, type TestDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { checkLaws } from '../support/laws.ts';
import { needsTwoShards, type ShardOutage, startWithProxiedShard } from '../support/shard-outage.ts';
import { storedData } from './personal-data/page.ts';
import { type Found, searchDatabases } from './personal-data/search.ts';
import { type SeededUser, seedUser } from './personal-data/seed-user.ts';

const LOGIN_REFUSED = 10013;
const TOKEN_INVALID = 10008;
const NO_SUCH_USER = 10000;
/** Time for a worker to start, and to end the cancelled tasks of the user. */
const STEP_SECONDS_MAX = 60;

interface Erasure {
  readonly state: string;
  readonly databases_left: number;
}

describe('the personal data of a user', needsTwoShards, () => {
  let outage: ShardOutage;
  let user: SeededUser;
  let device: TestDevice;
  let counters: object[];
  const logsOfOutage: string[] = [];

  before(async () => {
    outage = await startWithProxiedShard({ gateways: 1 });
    user = await seedUser(outage);
    // The vendor has accepted a notification, and the others wait in inboxes.
    await eventually(async () => {
      assert.deepEqual(await outage.carillon.counters(user.ownTasks[1] as bigint), { apns: [2, 2, 0] });
      const inboxes = outage.carillon.storage.shards.all.map((db) => db.query('select from inbox'));
      assert.equal((await Promise.all(inboxes)).flat().length, 9);
    }, STEP_SECONDS_MAX);
    device = await connectDevice(outage.carillon.gateways[0] as RoleProcess, user.phones.available);
    await eventually(async () => {
      for (const task of [user.ownTasks[0] as bigint, user.sharedTask])
        assert.deepEqual(await outage.carillon.counters(task), { nativepush: [2, 1, 1] });
      assert.equal(device.received.length, 5);
    }, STEP_SECONDS_MAX);
    counters = await readCounters();
  });
  after(async () => {
    await device?.[Symbol.asyncDispose]();
    await outage?.[Symbol.asyncDispose]();
  });

  test('is in every table that the page lists, before the erasure', async () => {
    const found = new Set((await search()).map(({ table, column }) => `${table}.${column}`));
    const personal = storedData().flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
    const unlisted = [...found].filter((place) => !personal.includes(place));
    assert.deepEqual(unlisted, [], 'The page does not list these columns.');
    const tables = ['users', 'user_tokens', 'members', 'aliases', 'vendor_token_owners', 'tasks', 'request_keys'];
    const others = [
      'drafts',
      'final_counts',
      'audit',
      'limit_points',
      'revocations',
      'devices',
      'bindings',
      'tags',
      'reported_states',
    ];
    const missing = [...tables, ...others].filter(
      (table) => ![...found].some((place) => place.startsWith(`${table}.`)),
    );
    assert.deepEqual(missing, []);
  });

  test('is exported completely, page by page, without the password and without other users', async () => {
    const { carillon } = outage;
    const records: { kind: string; record: string }[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { data } = await carillon.post<{ list: typeof records; next: string | null }>('/admin/user/export', {
        user_id: user.userId,
        after,
      });
      records.push(...data.list);
      after = data.next;
    }
    const text = records.map(({ record }) => record).join('\n');
    const isSecret = (mark: string) => mark.startsWith('accessToken');
    const missing = Object.entries(user.marks).filter(([mark, value]) => text.includes(value) === isSecret(mark));
    assert.deepEqual(missing, []);
    assert.ok(text.includes(user.sharedText));
    assert.ok(!text.includes('argon2'));
    const kinds = new Set(records.map(({ kind }) => kind));
    assert.deepEqual(
      [...kinds],
      ['user', 'access_token', 'device', 'group', 'task', 'draft', 'counters', 'audit_entry'],
    );
    const tasks = records.filter(({ kind }) => kind === 'task').map(({ record }) => parseJson(record));
    assert.deepEqual(
      (tasks as { task_id: number }[]).map(({ task_id }) => BigInt(task_id)),
      [...user.ownTasks, user.sharedTask],
    );
  });

  test('is erased in the available databases while another one is down', async () => {
    const { carillon } = outage;
    outage.fail('refuse');
    const started = await carillon.post<Erasure>('/admin/user/erase', { user_id: user.userId });
    assert.deepEqual([started.data.state, started.data.databases_left], ['devices', 2]);
    assert.deepEqual(
      (await search()).filter(({ table }) => table === 'limit_points'),
      [],
    );
    await simulateRunningRequests();
    await continueErasure();
    await eventually(async () => assert.deepEqual(await devicesOf('available'), []), STEP_SECONDS_MAX);
    assert.equal((await devicesOf('proxied')).length, 1);
    await eventually(() => assert.ok(device.closes > 0, 'the session is closed'), STEP_SECONDS_MAX);
  });

  test('is not created again by the user during the erasure', async () => {
    const { carillon } = outage;
    const { token, deviceGuid } = user.phones.available;
    const body = { password: user.password, device_guid: deviceGuid };
    const login = await carillon.tryPost('/token/user', { name: user.name, ...body }, { token: null });
    assert.equal(login.code, LOGIN_REFUSED);
    const bind = await carillon.tryPost('/device/bind', { provider: 1, token: 'ada-late-token' }, { token });
    assert.equal(bind.code, TOKEN_INVALID);
    const create = await carillon.tryPost('/admin/user/create', { user_id: user.userId });
    assert.equal(create.code, 10004);
    assert.equal((await carillon.tryPost('/admin/user/export', { user_id: user.userId })).code, NO_SUCH_USER);
    assert.equal((await carillon.tryPost('/admin/user/erase', { user_id: user.userId })).code, 200);
  });

  test('waits for the unavailable database, and names the progress', async () => {
    await endSettling();
    await continueErasure();
    await eventually(async () => {
      const { state, databases_left: left } = await readErasure();
      assert.deepEqual([state, left], ['devices', 1]);
    }, STEP_SECONDS_MAX);
  });

  test('is erased everywhere when the database is back, except for rows that the page lists as kept', async () => {
    const { logLines } = outage.carillon;
    logsOfOutage.push(...logLines);
    await outage.recover();
    await eventually(async () => {
      await continueErasure();
      assert.equal((await readErasure()).state, 'done');
    }, 3 * STEP_SECONDS_MAX);
    const kept = storedData()
      .filter(({ erasure }) => erasure.startsWith('kept'))
      .flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
    // The failed login of the test above is counted until the limit ends.
    const found = (await search()).filter(({ table, mark }) => table !== 'limit_points' || mark !== 'name');
    assert.deepEqual(
      found.filter(({ table, column }) => !kept.includes(`${table}.${column}`)),
      [],
    );
    // Audit entries also contain the alias and the push token that an admin used.
    const keptMarks = new Set(found.filter(({ table }) => table !== 'audit').map(({ mark }) => mark.split(' ')[0]));
    assert.deepEqual(
      [...keptMarks].sort(),
      ['accessToken', 'userId'],
      'only the ID and hashes of revoked tokens are kept',
    );
  });

  test('is not in the logs, except for security events', () => {
    const { carillon } = outage;
    const logLines = [...logsOfOutage, ...carillon.logLines];
    assert.ok(logLines.some((line) => line.includes('user-erased')));
    const isSecurityEvent = (line: string) => line.includes('"stream":"security"');
    const { userId: _, ...otherMarks } = user.marks;
    const marksOf = (line: string) => Object.values(isSecurityEvent(line) ? otherMarks : user.marks);
    assert.deepEqual(
      logLines.filter((line) => marksOf(line).some((mark) => line.includes(mark))),
      [],
    );
  });

  test('leaves counters and texts for other users unchanged', async () => {
    assert.deepEqual(await readCounters(), counters);
    const [task] = await outage.carillon.storage.home.query<{ audience: string; message: string }>(
      'select audience, message from tasks where task_id = $1',
      [user.sharedTask],
    );
    assert.ok(task?.message.includes(user.sharedText));
    assert.match(task?.audience ?? '', /^\{"kind":"user_id","userIds":\[\d+\]\}$/);
    const drafts = await outage.carillon.storage.home.query<{ body: string }>('select body from drafts');
    assert.equal(drafts.length, 1);
    assert.match(drafts[0]?.body ?? '', new RegExp(`^{"audience":{"user_id":\\[\\d+\\]},.*"${user.sharedText}"`));
    await checkLaws(outage.carillon.storage);
  });

  test('is erased again, in all databases, if a restored database contains it', async () => {
    const { carillon } = outage;
    const { appId, storage } = carillon;
    const { deviceGuid } = user.phones.proxied;
    const bucket = bucketOfGuid(appId, deviceGuid);
    const device = { appId, bucket, deviceGuid, userId: user.userId, newPushToken: 'p-old', registeredAt: new Date() };
    await registerDevice(storage.shards.dbFor(bucket), device);
    const { data } = await carillon.post<Erasure>('/admin/user/erase', { user_id: user.userId });
    assert.deepEqual([data.state, data.databases_left], ['devices', storage.shards.all.length]);
    await endSettling();
    await continueErasure();
    assert.equal((await readErasure()).state, 'done');
    assert.deepEqual(await devicesOf('proxied'), []);
  });

  const search = (): Promise<Found[]> => searchDatabases(outage.carillon.storage, user.marks);

  const readErasure = async (): Promise<Erasure> => {
    const body = { user_id: user.userId };
    const { data } = await outage.carillon.post<{ list: Erasure[] }>('/admin/user/erasures', body);
    return data.list[0] as Erasure;
  };

  /** Starts a worker, which continues the erasure immediately, and stops it when the erasure is done or waits again. */
  async function continueErasure(): Promise<void> {
    const { carillon, settings } = outage;
    const { home } = carillon.storage;
    await home.query('update erasures set next_at = now() where done_at is null');
    const worker = await carillon.start('worker', settings);
    // A claimed erasure has a lease of 5 minutes.
    const isPostponed = `next_at > now() and next_at < now() + interval '2 min'`;
    await eventually(async () => {
      const rows = await home.query(`select from erasures where done_at is not null or ${isPostponed}`);
      assert.equal(rows.length, 1);
    }, STEP_SECONDS_MAX);
    await worker.stop();
    carillon.workers.splice(carillon.workers.indexOf(worker), 1);
  }

  /** Moves the request into the past, instead of waiting until all requests that began before it have ended. */
  const endSettling = () =>
    outage.carillon.storage.home.query(`update erasures set requested_at = requested_at - interval '11 min'`);

  /**
   * Does the last steps of requests that were authenticated before the user was deleted: a login, the binding of a
   * vendor token, and a notification.
   */
  async function simulateRunningRequests(): Promise<void> {
    const { appId, storage } = outage.carillon;
    const deviceGuid = user.phones.available.deviceGuid;
    const bucket = bucketOfGuid(appId, deviceGuid);
    const db = storage.shards.dbFor(bucket);
    const [before] = await db.query<{ deviceId: bigint }>(
      'select device_id as "deviceId" from devices where device_guid = $1',
      [deviceGuid],
    );
    const login = { appId, bucket, deviceGuid, userId: user.userId, newPushToken: 'p-late', registeredAt: new Date() };
    await continueErasure();
    await registerDevice(db, login);
    const vendorToken = { appId, channel: 'apns', tokenHash: hashVendorToken('live-ada-available', 'apns') } as const;
    await moveVendorToken(storage.home, vendorToken, undefined, before?.deviceId as bigint);
    assert.equal(await findUserToken(storage.home, user.phones.available.token), undefined);
    const late = { appId, author: `user:${user.userId}`, requestId: 'request-of-ada-late', bucket: 5 };
    const kinds = { lane: 'prompt', byRange: false, strategy: 'combined', ospushSequence: [], groupId: null } as const;
    const audience = { kind: 'user_id', userIds: [user.userId] } as const;
    const messageText = '{"type":"text","badge":"0","body":"private-text-waiting"}';
    const times = { dueAt: null, notAfter: null };
    const token = { kind: 'user', tokenId: 1n, parent: null } as const;
    await acceptTasks(storage.home, [
      { ...late, ...kinds, ...times, audience, messageText, bodyHash: Buffer.alloc(32), token },
    ]);
  }

  async function devicesOf(side: 'available' | 'proxied'): Promise<object[]> {
    const { shards } = outage.carillon.storage;
    const databases = shards.all.filter((_, i) => (i === shards.all.length - 1) === (side === 'proxied'));
    const where = 'user_id = $1 or former_user_id = $1';
    const reads = databases.map((db) => db.query(`select device_guid from devices where ${where}`, [user.userId]));
    return (await Promise.all(reads)).flat();
  }

  /** Returns the counters of all tasks of the user, without those that were not sent before the erasure. */
  const readCounters = async () => {
    const list = [...user.ownTasks, user.sharedTask];
    const { data } = await outage.carillon.post<object[]>('/push/task/detail', { list });
    return data;
  };
});
