import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import { placeStatus } from '#src/domain/slice.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { findInAllTables } from '../../support/database-tables.ts';
import { connectDevice, type TestDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';
import { REVOKED_SECONDS_MAX, TOKEN_INVALID } from '../../support/revocation-limits.ts';
import {
  createTwoDeviceUser,
  finalStatusesOf,
  type PendingTasks,
  sendPending,
  sendToEveryAudience,
  type TwoDeviceUser,
} from './ownership-change/two-device-user.ts';

/** The ways in which a user stops being the owner of their phones, and the user who logs in on them next. */
const ownershipChanges = [
  { way: 'the owner logs out and another user logs in', slug: 'handed', leave: logOut, next: 'another user' },
  { way: 'the owner logs out and logs in again', slug: 'logout', leave: logOut, next: 'the same user' },
  { way: 'the owner is kicked and logs in again', slug: 'kicked', leave: endLoginBy('kick'), next: 'the same user' },
  { way: 'the owner is disabled', slug: 'disabled', leave: endLoginBy('disable'), next: 'another user' },
  { way: 'the owner is deleted', slug: 'deleted', leave: endLoginBy('delete'), next: 'another user' },
  { way: 'the owner logs out and is then deleted', slug: 'left', leave: logOutAndDelete, next: 'another user' },
] as const;

const erased: readonly string[] = ['deleted', 'left'];

/**
 * Delay of pending tasks, so that they stay pending until the phones have their next owner. The test then makes them
 * due.
 */
const LATER_SECONDS = 3_600;
/**
 * The acknowledgement timeout is long enough not to expire before the next owner logs in. A breaker that Apple's outage
 * has tripped is probed every second.
 */
const SETTINGS = { CARILLON_ACKNOWLEDGE_SECONDS: `${LATER_SECONDS}`, CARILLON_BREAKER_PROBE_SECONDS: '1' };

const LOGIN_REFUSED = 10013;

/** A former owner, the pending tasks, and the result of the change. */
interface ScenarioResult extends OwnershipChange {
  readonly formerOwner: TwoDeviceUser;
  readonly pending: PendingTasks;
  /** A task that was sent to the next owner. */
  readonly newOwnerTaskId: bigint;
}

interface OwnershipChange {
  readonly newOwner: TestUser;
  readonly logins: { readonly online: Login; readonly offline: Login };
  readonly device: TestDevice;
  /** Seconds until the first owner's session was closed. */
  readonly closedAfter: number;
  readonly generations: { readonly before: readonly Generation[]; readonly after: readonly Generation[] };
  /** The phones after the first owner left and before the next one logged in. */
  readonly between: readonly DeviceRecord[];
  /** Table rows with identifiers of the first owner, before and after the owner left. */
  readonly traces: { readonly before: readonly string[]; readonly after: readonly string[] };
}

interface Generation {
  readonly deviceId: bigint;
  readonly generation: number;
}

interface DeviceRecord {
  readonly push_token: string;
  readonly device_guid: string;
  readonly user_id: number | null;
  readonly alias: string | null;
  readonly tags: readonly string[];
  readonly bindings: readonly object[];
  readonly online: boolean;
  readonly state: object | null;
}

describe('the owner of two phones leaves while tasks are pending', () => {
  let carillon: Carillon;
  const results = new Map<string, ScenarioResult>();

  before(async () => {
    carillon = await startCarillon({ gateways: 2, settings: SETTINGS });
    const formerOwners = await Promise.all(
      ownershipChanges.map(async (way, i) => ({ way, formerOwner: await createTwoDeviceUser(carillon, way.slug, i) })),
    );
    const later = Math.floor(Date.now() / 1_000) + LATER_SECONDS;
    await setApns('POST', { kind: 'outage', duration_ms: 60_000 });
    const sent = await Promise.all(
      formerOwners.map(async ({ way, formerOwner }) => {
        return { way, formerOwner, first: await sendPending(carillon, formerOwner, later) };
      }),
    );
    await carillon.workers[0]?.stop();
    const scheduled = { body: 'scheduled', show_begin_time: later };
    const changed = await Promise.all(
      sent.map(async ({ way, formerOwner, first }) => {
        const queued = await sendToEveryAudience(carillon, formerOwner, { body: 'queued' });
        const pending = { ...first, queued, scheduled: await sendToEveryAudience(carillon, formerOwner, scheduled) };
        return { way, formerOwner, pending, change: await changeHands(formerOwner, way) };
      }),
    );
    await makeItsTimeCome(changed.map(({ pending }) => pending));
    await setApns('DELETE');
    await carillon.start('worker', { CARILLON_ACKNOWLEDGE_SECONDS: '5' });
    for (const { way, formerOwner, pending, change } of changed) {
      const late = await sendToEveryAudience(carillon, formerOwner, { body: 'late' });
      const newOwnerTaskId = await carillon.notify({ user_id: [change.newOwner.userId] }, { body: 'for the next one' });
      results.set(way.slug, { ...change, formerOwner, pending: { ...pending, late }, newOwnerTaskId });
    }
    for (const { pending, newOwnerTaskId } of results.values())
      for (const taskId of [...tasksOf(pending), newOwnerTaskId]) await waitUntilFinished(carillon.storage, taskId, 30);
  });
  after(async () => {
    for (const { device, formerOwner } of results.values()) {
      formerOwner.session[Symbol.dispose]();
      await device[Symbol.asyncDispose]();
    }
    await carillon?.[Symbol.asyncDispose]();
  });

  for (const { way, slug, next } of ownershipChanges) {
    const story = () => results.get(slug) as ScenarioResult;
    /**
     * Returns the pending tasks that must be delivered. If the same user logs in again, the user id is unchanged, so
     * tasks for this id that become due later reach that user.
     */
    const reached = () => {
      const { scheduled, late } = story().pending;
      return next === 'the same user' ? [scheduled.user_id, late.user_id] : [];
    };
    const texts = (taskIds: readonly bigint[]) => taskIds.map(String).sort();

    describe(way, () => {
      test('the first session is closed and the first tokens are rejected within five seconds', async () => {
        const { formerOwner, closedAfter } = story();
        assert.ok(closedAfter < REVOKED_SECONDS_MAX, `the session was open for ${closedAfter} s`);
        for (const login of [formerOwner.online, formerOwner.offline]) {
          assert.equal((await carillon.tryPost('/device/list', {}, { token: login.token })).code, TOKEN_INVALID);
          await assert.rejects(connectDevice(carillon.gateways[0] as RoleProcess, login));
        }
      });

      test('the phones have a new generation and a new push token, and no tags, alias or binding of the first owner', async () => {
        const { formerOwner, generations, between, logins, newOwner: owner } = story();
        assert.equal(between.length, erased.includes(slug) ? 0 : 2);
        for (const { user_id: userId, alias, tags, bindings, online, state } of between)
          assert.deepEqual([userId, alias, tags, bindings, online, state], [null, null, [], [], false, null]);
        for (const which of ['online', 'offline'] as const) {
          const { deviceGuid, push_token: pushToken } = formerOwner[which];
          assert.notEqual(logins[which].push_token, pushToken);
          const records = await recordsOf([deviceGuid]);
          const record = records.find(({ user_id: userId }) => userId === Number(owner.userId));
          assert.deepEqual(record?.tags, []);
          assert.equal(record?.alias, null);
          assert.equal(record?.state, null);
          assert.equal(record?.push_token, logins[which].push_token);
          assert.equal(
            records.filter(({ user_id: userId }) => userId !== null).length,
            1,
            'no other user is logged in',
          );
          assert.equal(record?.bindings.length, 1, 'only the binding of the next owner exists');
        }
        assert.equal(generations.before.length, 2);
        for (const { deviceId, generation } of generations.before) {
          const now = generations.after.find((device) => device.deviceId === deviceId);
          assert.equal(now === undefined, erased.includes(slug), 'only the devices of a deleted user are deleted');
          assert.ok(now === undefined || now.generation > generation);
        }
      });

      test('no pending notification is delivered on the Carillon channel or through APNs, and the next owner receives their own notifications', async () => {
        const { formerOwner, pending, device, newOwnerTaskId } = story();
        const { session, apnsTokens } = formerOwner;
        assert.deepEqual(
          [...session.taskIds].sort(),
          texts([pending.inbox, pending.unanswered]),
          'only the notifications from before the change are received',
        );
        assert.deepEqual([...device.taskIds].sort(), texts([newOwnerTaskId, ...reached()]));
        assert.deepEqual(await carillon.apnsNotificationsFor(apnsTokens.online), []);
        const arrived = await carillon.apnsNotificationsFor(apnsTokens.offline);
        assert.deepEqual(
          arrived.map(({ collapse_id: taskId }) => taskId).sort(),
          texts([newOwnerTaskId, ...reached()]),
        );
        const badges = arrived.map(({ payload }) => (payload.aps as { badge: number }).badge);
        // Tasks that are expanded at the same time can show the same number.
        assert.ok(Math.max(0, ...badges) <= arrived.length, `badges start at zero: ${badges}`);
      });

      test('the pending places end as skipped, and the counters match', async () => {
        const { pending, newOwnerTaskId } = story();
        const { inbox, retry, unanswered, ...byAudience } = pending;
        const { skipped } = placeStatus;
        assert.deepEqual(await finalStatusesOf(carillon, inbox), { nativepush: [skipped, skipped] });
        assert.deepEqual(await finalStatusesOf(carillon, retry), { apns: [skipped, skipped] });
        assert.deepEqual(await finalStatusesOf(carillon, unanswered), { nativepush: [skipped], apns: [skipped] });
        assert.deepEqual(await carillon.counters(inbox), { nativepush: [2, 1, 0] });
        assert.deepEqual(await carillon.counters(retry), { apns: [2, 0, 0] });
        assert.deepEqual(await carillon.counters(unanswered), { nativepush: [1, 1, 0], apns: [1, 0, 0] });
        const both = { nativepush: [1, 1, 1], apns: [1, 1, 0] };
        for (const taskId of tasksOf(byAudience))
          assert.deepEqual(await carillon.counters(taskId), reached().includes(taskId) ? both : {});
        assert.deepEqual(await carillon.counters(newOwnerTaskId), both);
      });
    });
  }

  for (const slug of erased) {
    const story = () => results.get(slug) as ScenarioResult;

    test(`no identifier of a deleted user (${slug}) is found in any table or log`, async () => {
      const { formerOwner, traces, between } = story();
      assert.ok(traces.before.length > textsOf(formerOwner).length, 'identifiers are found before the deletion');
      assert.deepEqual(traces.after, []);
      assert.deepEqual(between, []);
      const logText = carillon.logLines.join('\n');
      for (const text of textsOf(formerOwner)) assert.ok(!logText.includes(text), `${text} is in the logs`);
    });

    test(`a deleted user (${slug}) cannot log in, their ID is not assigned to another user, and a second deletion succeeds`, async () => {
      const { userId: user_id, password } = story().formerOwner.user;
      assert.equal((await carillon.tryPost('/token/id', { user_id, password }, { token: null })).code, LOGIN_REFUSED);
      assert.equal((await carillon.tryPost('/admin/user/create', { user_id })).code, 10004);
      assert.equal((await carillon.tryPost('/admin/user/find', { user_id })).code, 10000);
      await carillon.post('/admin/user/delete', { user_id });
    });
  }

  test('a disabled user cannot log in', async () => {
    const { user } = (results.get('disabled') as ScenarioResult).formerOwner;
    const login = { user_id: user.userId, password: user.password };
    assert.equal((await carillon.tryPost('/token/id', login, { token: null })).code, LOGIN_REFUSED);
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));

  type Way = (typeof ownershipChanges)[number];

  /**
   * Ends the first owner's login, logs the next owner in on both phones, binds the APNs tokens and connects one phone.
   */
  async function changeHands(formerOwner: TwoDeviceUser, { slug, leave, next: who }: Way): Promise<OwnershipChange> {
    const { online, offline, session, apnsTokens, user } = formerOwner;
    const guids = [online.deviceGuid, offline.deviceGuid];
    const next = who === 'the same user' ? user : await carillon.createUser(`${slug}-next`);
    const generationsBefore = await generationsOf(guids);
    const tracesBefore = erased.includes(slug) ? await tracesOf(formerOwner) : [];

    await leave(carillon, formerOwner);
    const leftAt = performance.now();
    const between = await recordsOf(guids);
    const tracesAfter = erased.includes(slug) ? await tracesOf(formerOwner) : [];
    const logins = {
      online: await carillon.logIn(next, online.deviceGuid),
      offline: await carillon.logIn(next, offline.deviceGuid),
    };
    await eventually(async () => {
      assert.ok(session.closedAt !== undefined, 'the session is closed');
      for (const { token } of [online, offline])
        assert.equal((await carillon.tryPost('/device/list', {}, { token })).code, TOKEN_INVALID);
    }, REVOKED_SECONDS_MAX + 1);

    for (const which of ['online', 'offline'] as const) {
      const { token } = logins[which];
      await carillon.post('/device/bind', { provider: 1, token: apnsTokens[which] }, { token });
    }
    const device = await connectDevice(carillon.gateways[1] as RoleProcess, logins.online);
    return {
      newOwner: next,
      logins,
      device,
      closedAfter: ((session.closedAt as number) - leftAt) / 1_000,
      generations: { before: generationsBefore, after: await generationsOf(guids) },
      between,
      traces: { before: tracesBefore, after: tracesAfter },
    };
  }

  /** Makes scheduled tasks and waiting slices due. No worker is running that could have cached the former times. */
  async function makeItsTimeCome(
    ways: readonly Pick<PendingTasks, 'inbox' | 'unanswered' | 'scheduled'>[],
  ): Promise<void> {
    const { home, shards } = carillon.storage;
    const scheduled = ways.flatMap((way) => Object.values(way.scheduled));
    const due = await home.query(
      'update tasks set due_at = now(), next_at = now() where task_id = any($1) and due_at > now() returning 1',
      [scheduled],
    );
    assert.equal(due.length, scheduled.length, 'the scheduled tasks were not due yet');
    const inbox = ways.map((way) => way.inbox);
    await home.query('update tasks set not_after = now() where task_id = any($1)', [inbox]);
    const waiting = [...inbox, ...ways.map(({ unanswered }) => unanswered)];
    const slices = await Promise.all(
      shards.all.map((db) =>
        db.query(
          `update slices set next_at = now() where task_id = any($1) and state in ('awaiting', 'waiting') returning 1`,
          [waiting],
        ),
      ),
    );
    assert.equal(
      slices.flat().length,
      3 * ways.length,
      'two slices of each inbox task and one of each unanswered task',
    );
  }

  async function recordsOf(deviceGuids: readonly string[]): Promise<DeviceRecord[]> {
    const found = deviceGuids.map((guid) =>
      carillon.post<{ list: DeviceRecord[] }>('/admin/device/find', { device_guid: guid }),
    );
    return (await Promise.all(found)).flatMap(({ data }) => data.list);
  }

  async function generationsOf(deviceGuids: readonly string[]): Promise<Generation[]> {
    const rows = deviceGuids.map((deviceGuid) =>
      carillon.storage.shards
        .dbFor(bucketOfGuid(carillon.appId, deviceGuid))
        .query<Generation>('select device_id as "deviceId", generation from devices where device_guid = $1', [
          deviceGuid,
        ]),
    );
    return (await Promise.all(rows)).flat();
  }

  /**
   * Returns the rows with identifiers of a former owner. Rows of tasks are ignored, because a task keeps the audience
   * that its sender wrote.
   */
  async function tracesOf(formerOwner: TwoDeviceUser): Promise<string[]> {
    const found = await Promise.all(textsOf(formerOwner).map((text) => findInAllTables(carillon.storage, text)));
    return found.flat().filter((row) => !row.startsWith('tasks: '));
  }

  async function setApns(method: 'POST' | 'DELETE', fault?: object): Promise<void> {
    const { control_url: url } = carillon.apns.facts;
    const response = await fetch(`${url}/faults`, { method, ...(fault && { body: JSON.stringify(fault) }) });
    assert.equal(response.status, 204);
  }
});

async function logOut(carillon: Carillon, { online, offline }: TwoDeviceUser): Promise<void> {
  for (const { token } of [online, offline]) await carillon.post('/token/logout', {}, { token });
}

async function logOutAndDelete(carillon: Carillon, formerOwner: TwoDeviceUser): Promise<void> {
  await logOut(carillon, formerOwner);
  await endLoginBy('delete')(carillon, formerOwner);
}

function endLoginBy(end: 'kick' | 'disable' | 'delete') {
  return async (carillon: Carillon, { user }: TwoDeviceUser): Promise<void> => {
    await carillon.post(`/admin/user/${end}`, { user_id: user.userId });
  };
}

/** Returns every string that identifies a user or their phones. */
function textsOf({ user, online, offline, tag, alias, apnsTokens }: TwoDeviceUser): string[] {
  const tokens = Object.values(apnsTokens);
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
  const logins = [online, offline].flatMap(({ deviceGuid, push_token, token }) => [deviceGuid, push_token, token]);
  return [user.name, user.mobile, user.email, tag, alias, ...logins, ...tokens, ...hashes];
}

function tasksOf(way: Partial<PendingTasks>): bigint[] {
  return Object.values(way).flatMap((one) => (typeof one === 'bigint' ? one : Object.values(one)));
}
