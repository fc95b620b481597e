import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon, type TestUser } from '../support/carillon.ts';
import { type ConnectedUsers, connectUsers } from '../support/connected-users.ts';
import { eventually } from '../support/eventually.ts';
import { checkLaws } from '../support/laws.ts';

/**
 * The vendor deadline is longer than the four seconds that ten requests of two seconds each take. APNs allows more
 * concurrent requests on a connection only after its first response.
 */
const SETTINGS = { CARILLON_LEASE_SECONDS: '11', CARILLON_VENDOR_DEADLINE_SECONDS: '7' };
const IPHONES = 10;

describe('a worker is killed while it holds claimed slices', () => {
  let carillon: Carillon;
  let crowd: ConnectedUsers;

  before(async () => {
    carillon = await startCarillon({ gateways: 2, workers: 1, settings: SETTINGS });
    crowd = await connectUsers(carillon, 20);
  });
  after(async () => {
    await crowd?.[Symbol.asyncDispose]();
    await carillon?.[Symbol.asyncDispose]();
  });

  async function leased(): Promise<bigint> {
    const counts = await Promise.all(
      carillon.storage.shards.all.map((db) =>
        db.query<{ leased: bigint }>(
          `select count(*) as leased from slices where state = 'leased' and next_at > now()`,
        ),
      ),
    );
    return counts.flat().reduce((sum, row) => sum + row.leased, 0n);
  }

  test('all 200 notifications are received and counted exactly, and unconfirmed notifications are sent again under the same collapse id', async () => {
    // The APNs simulator takes two seconds for each of these phones, so the worker holds slices during that time.
    const iphones = await Promise.all(
      Array.from({ length: IPHONES }, async (_, i) => {
        const user = await carillon.createUser(`iphone-${i}`);
        const login = await carillon.logIn(user, `iphone-${i}`);
        await carillon.post('/device/bind', { provider: 1, token: `slow-${i}` }, { token: login.token });
        return user;
      }),
    );
    const toIphones = await carillon.notify({ user_id: iphones.map(({ userId }) => userId) }, { body: 'slowly' });
    const sending = crowd.notifyInTurn(200, 'killed');

    const [worker] = carillon.workers as [RoleProcess];
    await eventually(async () => {
      for (let i = 0; i < IPHONES; i++) assert.ok((await carillon.apnsNotificationsFor(`slow-${i}`)).length > 0);
    }, 10);
    await worker.kill();
    const leasedSlices = await leased();
    assert.ok(leasedSlices > 0n, 'the worker held claimed slices when it was killed');
    await sending;
    await carillon.start('worker');
    await carillon.start('worker');

    await crowd.waitUntilDelivered(60);
    await crowd.waitUntilFinished(60);
    await eventually(
      async () => assert.deepEqual(await carillon.counters(toIphones), { apns: [IPHONES, IPHONES, 0] }),
      30,
    );
    for (let i = 0; i < IPHONES; i++) {
      const arrivals = await carillon.apnsNotificationsFor(`slow-${i}`);
      assert.equal(arrivals.length, 2, 'once by the killed worker, once by the worker that took over');
      assert.ok(arrivals.every(({ collapse_id }) => collapse_id === toIphones.toString()));
      const badges = arrivals.map(({ payload }) => (payload.aps as { badge: number }).badge);
      assert.deepEqual(badges, [1, 1], 'the badge increases once per task');
    }
    const [iphone] = iphones as [TestUser];
    const answer = await carillon.post<{ list: { attempts: { channel: string; said: string }[] }[] }>(
      '/push/task/trace',
      { task_id: toIphones, user_id: iphone.userId },
      { token: carillon.adminToken },
    );
    assert.deepEqual(
      answer.data.list[0]?.attempts.map(({ channel, said: entry }) => `${channel} ${entry}`),
      ['apns interrupted', 'apns accepted'],
      'the trace contains both attempts',
    );
    await checkLaws(carillon.storage);
  });
});
