import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { announce, compareSessions } from '#src/storage/devices/presence.ts';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { connectSwarmDevice, type SwarmDevice, type SwarmOptions } from '../../support/device-swarm.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';

const TAKEN_OVER = 0x8e;
const NOT_AUTHORIZED = 0x87;
const QUOTA_EXCEEDED = 0x97;
const SERVER_UNAVAILABLE_3_1_1 = 3;

/**
 * With NATS, the reconciliation interval is so long that reconciliation cannot cause the takeover. Without NATS, only
 * reconciliation can cause it.
 */
const takeoverPaths = [
  { way: 'notified by NATS', settings: { CARILLON_GATEWAY_RECONCILE_SECONDS: '600' } },
  {
    way: 'found by reconciliation, without NATS',
    settings: { CARILLON_GATEWAY_RECONCILE_SECONDS: '2', CARILLON_NATS_URLS: 'nats://127.0.0.1:1' },
  },
];

// Each test has its own phone and mostly waits for the next reconciliation, so a few tests run concurrently.
for (const { way, settings } of takeoverPaths)
  describe(`a device connects to another gateway (${way})`, { concurrency: 3 }, () => {
    let carillon: Carillon;
    let phones = 0;

    before(async () => {
      carillon = await startCarillon({ gateways: 2, settings });
    });
    after(async () => {
      if (carillon) await checkLaws(carillon.storage);
      await carillon?.[Symbol.asyncDispose]();
    });

    async function newPhone(): Promise<Login & { userId: bigint }> {
      const { storage, appId } = carillon;
      const userId = await addUser(storage.home, appId);
      return { ...(await addDevice(storage, { appId, userId, deviceGuid: `phone-${phones++}` })), userId };
    }

    const connectAt = (gateway: number, login: Login, options?: SwarmOptions): Promise<SwarmDevice> =>
      connectSwarmDevice(carillon.gateways[gateway]?.ports.gateway as number, login, options);

    const row = async (login: Login) => {
      const [found] = await dbOf(login).query<{ gateway: string; online: boolean }>(
        `select s.gateway, s.online from sessions s join devices d using (bucket, device_id) where d.device_guid = $1`,
        [login.deviceGuid],
      );
      return found;
    };
    const dbOf = ({ deviceGuid }: Login): ShardDb =>
      carillon.storage.shards.dbFor(bucketOfGuid(carillon.appId, deviceGuid));
    const keyOf = async (login: Login) => {
      const [key] = await dbOf(login).query<{ deviceId: bigint; bucket: number; generation: number }>(
        `select device_id as "deviceId", bucket, generation from devices where device_guid = $1`,
        [login.deviceGuid],
      );
      assert.ok(key);
      return { ...key, appId: carillon.appId };
    };
    const setTimes = (login: Login, times: string) =>
      dbOf(login).query(
        `update sessions s set ${times} from devices d
          where (d.bucket, d.device_id) = (s.bucket, s.device_id) and d.device_guid = $1`,
        [login.deviceGuid],
      );

    test('the first connection ends, and the second one receives new notifications', async () => {
      const login = await newPhone();
      using first = await connectAt(0, login);
      const before = await row(login);
      using second = await connectAt(1, login);
      await first.ended();
      assert.equal(first.disconnectReason, TAKEN_OVER);
      const taskId = await carillon.notify({ user_id: [login.userId] }, { body: 'where are you?' });
      await eventually(() => assert.deepEqual(second.taskIds, [taskId.toString()]), 20);
      assert.deepEqual([first.taskIds, second.open], [[], true]);
      const now = await row(login);
      assert.notEqual(now?.gateway, before?.gateway);
      assert.equal(now?.online, true, 'the offline announcement of the first session is ignored');
    });

    test('an MQTT 3.1.1 client is disconnected without a reason code', async () => {
      const login = await newPhone();
      using first = await connectAt(1, login, { version: 4 });
      using second = await connectAt(0, login, { version: 4 });
      await first.ended();
      assert.deepEqual([first.disconnectReason, second.open], [undefined, true]);
    });

    test('a device that reconnects to its first gateway keeps only its newest session, whichever gateway detects the takeover first', async () => {
      const login = await newPhone();
      const devices: SwarmDevice[] = [];
      for (const gateway of [0, 1, 0]) devices.push(await connectAt(gateway, login));
      const [first, second, third] = devices as [SwarmDevice, SwarmDevice, SwarmDevice];
      await Promise.all([first.ended(), second.ended()]);
      const taskId = await carillon.notify({ user_id: [login.userId] }, { body: 'again' });
      await eventually(() => assert.deepEqual(third.taskIds, [taskId.toString()]), 20);
      assert.ok(third.open);
      third[Symbol.dispose]();
    });

    test('rejects further takeovers after six within a minute, and keeps the last connection', async () => {
      const login = await newPhone();
      let last = await connectAt(0, login);
      for (let i = 1; i <= 6; i++) {
        const next = await connectAt(i % 2, login);
        assert.equal(next.connack, 0, `takeover ${i}`);
        await last.ended();
        last = next;
      }
      for (const gateway of [0, 1]) {
        using refused = await connectAt(gateway, login);
        assert.equal(refused.connack, QUOTA_EXCEEDED);
        using refused4 = await connectAt(gateway, login, { version: 4 });
        assert.equal(refused4.connack, SERVER_UNAVAILABLE_3_1_1);
      }
      assert.ok(last.open);
      await setTimes(login, `takeovers_from = takeovers_from - interval '1 min'`);
      using later = await connectAt(0, login);
      assert.equal(later.connack, 0, 'a takeover is possible again a minute later');
      last[Symbol.dispose]();
    });

    test('a late announcement ends its own session and not the newer one', async () => {
      const login = await newPhone();
      using device = await connectAt(0, login);
      const db = dbOf(login);
      const [session] = await db.query<{ deviceId: bigint; bucket: number; generation: number; since: string }>(
        `select d.device_id as "deviceId", d.bucket, s.generation, (s.since - interval '1 s')::text as since
           from sessions s join devices d using (bucket, device_id) where d.device_guid = $1`,
        [login.deviceGuid],
      );
      assert.ok(session);
      const older = { ...session, appId: carillon.appId };
      assert.deepEqual(await announce(db, 'slow', 1, [{ ...older, online: true }]), []);
      const [state] = await compareSessions(db, 'slow', 1, [older]);
      assert.equal(state?.state, 'replaced');
      assert.deepEqual(await announce(db, 'slow', 1, [{ ...older, online: false }]), []);
      assert.ok(device.open);
    });

    test('a gateway can keep the earlier of two overlapping connections of a device', async () => {
      const login = await newPhone();
      const db = dbOf(login);
      const later = { ...(await keyOf(login)), since: '2026-01-01 00:00:01+00' };
      const earlier = { ...later, since: '2026-01-01 00:00:00+00' };
      assert.equal((await announce(db, 'one', 1, [{ ...later, online: true }])).length, 1);
      assert.equal((await announce(db, 'one', 1, [{ ...earlier, online: true }])).length, 1);
      const [state] = await compareSessions(db, 'one', 1, [earlier]);
      assert.equal(state?.state, 'announced');
    });

    test('a session ends when the device has another owner, even if the revocation is lost', async () => {
      const login = await newPhone();
      using device = await connectAt(0, login);
      const db = dbOf(login);
      const key = await keyOf(login);
      await db.query(`update devices set generation = generation + 1 where device_guid = $1`, [login.deviceGuid]);
      const [state] = await compareSessions(db, 'one', 1, [{ ...key, since: '2026-01-01 00:00:00+00' }]);
      assert.equal(state?.state, 'ended');
      if (settings.CARILLON_GATEWAY_RECONCILE_SECONDS !== '2') return;
      await device.ended();
      assert.equal(device.disconnectReason, NOT_AUTHORIZED);
    });

    test('a new connection replaces the previous one even if the clock was set back', async () => {
      const login = await newPhone();
      using first = await connectAt(0, login);
      await setTimes(login, `since = since + interval '1 hour'`);
      using second = await connectAt(0, login);
      await first.ended();
      using third = await connectAt(1, login);
      await second.ended();
      const taskId = await carillon.notify({ user_id: [login.userId] }, { body: 'what time is it?' });
      await eventually(() => assert.deepEqual(third.taskIds, [taskId.toString()]), 20);
      assert.deepEqual([second.disconnectReason, third.open], [TAKEN_OVER, true]);
    });
  });
