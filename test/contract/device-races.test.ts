import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { reachBit } from '#src/domain/reach.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { addDevice, addUser } from '../support/add-device.ts';
import { type ApiResponse, type Carillon, type Login, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';
import { REVOKED_SECONDS_MAX, TOKEN_INVALID } from '../support/revocation-limits.ts';

/** Races between device requests that two API processes handle at the same time. */

const RACES = 30;
const RACERS = 3;

interface Racer extends Login {
  readonly userId: bigint;
}

interface DeviceRow {
  readonly deviceId: bigint;
  readonly pushToken: string;
  readonly reach: number;
  readonly alias: string | null;
}

let carillon: Carillon;
before(async () => {
  carillon = await startCarillon({ apis: 2, gateways: 0, workers: 0 });
});
after(async () => {
  const { errorLines } = carillon;
  await carillon[Symbol.asyncDispose]();
  assert.deepEqual(errorLines, []);
});

const apiOf = (n: number) => carillon.apis[n % carillon.apis.length] as RoleProcess;

/** Creates three users with one device each. */
async function addRacers(race: number): Promise<Racer[]> {
  const { storage, appId } = carillon;
  const racers = Array.from({ length: RACERS }, async (_, i) => {
    const userId = await addUser(storage.home, appId);
    return { userId, ...(await addDevice(storage, { appId, userId, deviceGuid: `racer-${race}-${i}` })) };
  });
  return Promise.all(racers);
}

const call = <T>(path: string, body: object, { token }: Pick<Login, 'token'>, n: number): Promise<ApiResponse<T>> =>
  carillon.tryPost<T>(path, body, { token, api: apiOf(n) });

async function inShards<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
  return (await Promise.all(carillon.storage.shards.all.map((db) => db.query<Row>(text, values)))).flat();
}

const rowsOf = (racers: readonly Racer[]) =>
  inShards<DeviceRow>(
    `select device_id as "deviceId", push_token as "pushToken", reach, alias from devices where push_token = any($1)`,
    [racers.map(({ push_token }) => push_token)],
  );

let racesMade = 0;
const races = <T>(race: (racers: Racer[], n: number) => Promise<T>) =>
  Promise.all(
    Array.from({ length: RACES }, async () => {
      const n = ++racesMade;
      return race(await addRacers(n), n);
    }),
  );

describe('concurrent device requests', () => {
  test('assign an alias to one of several users, reject the others, and store the owner in the home database', async () => {
    await races(async (racers, n) => {
      const alias = `wanted-${n}`;
      const answers = await Promise.all(racers.map((racer, i) => call('/device/alias', { alias }, racer, n + i)));
      const winners = racers.filter((_, i) => answers[i]?.code === 200);
      assert.deepEqual(answers.map(({ code }) => code).sort(), [10004, 10004, 200]);
      const named = (await rowsOf(racers)).filter((row) => row.alias !== null);
      assert.deepEqual(
        named.map(({ pushToken, alias: name }) => [pushToken, name]),
        [[winners[0]?.push_token, alias]],
      );
      const home = await carillon.storage.home.query<{ userId: bigint }>(
        'select user_id as "userId" from aliases where app_id = $1 and alias = $2',
        [carillon.appId, alias],
      );
      assert.deepEqual(
        home.map(({ userId }) => userId),
        [winners[0]?.userId],
      );
    });
  });

  test('delete the reported state at a logout, even if the state is reported at the same time', async () => {
    let reports = 0;
    // One race at a time, because the two requests of a device must overlap.
    for (let n = 1; n <= RACES; n++) {
      const racers = await addRacers(RACES * 10 + n);
      const client = `racer-${n}`;
      const answers = await Promise.all(
        racers.map(async (racer, i) => {
          const logout = call('/token/logout', {}, racer, n + i + 1);
          const { code } = await call('/device/state', { client }, racer, n + i);
          assert.ok([200, 12008, TOKEN_INVALID].includes(code), String(code));
          assert.equal((await logout).code, 200);
          return code;
        }),
      );
      reports += answers.filter((code) => code === 200).length;
      assert.deepEqual(await inShards('select from reported_states where client = $1', [client]), []);
    }
    assert.ok(reports > 0, 'no report was stored before a logout');
  });

  test('bind a vendor token to one of several devices, consistently in the binding, the reach of the device and the home database', async () => {
    await races(async (racers, n) => {
      const token = `wanted-${n}`;
      const bind = (racer: Racer, i: number) => call('/device/bind', { provider: 3, token }, racer, n + i);
      // One device sends the request twice, as an app does when it retries early.
      const answers = await Promise.all([...racers, racers[0] as Racer].map(bind));
      assert.deepEqual(new Set(answers.map(({ code }) => code)), new Set([200]));
      const live = await inShards<{ deviceId: bigint }>(
        `select device_id as "deviceId" from bindings where token = $1 and ended_at is null`,
        [token],
      );
      const home = await carillon.storage.home.query<{ deviceId: bigint }>(
        `select device_id as "deviceId" from vendor_token_owners where app_id = $1 and channel = 'xiaomi' and token_hash = sha256($2)`,
        [carillon.appId, Buffer.from(token)],
      );
      const devices = await rowsOf(racers);
      const reached = devices.filter(({ reach }) => reach !== 0);
      const idsOf = (rows: readonly { deviceId: bigint }[]) => rows.map(({ deviceId }) => deviceId);
      assert.equal(live.length, 1);
      assert.deepEqual([idsOf(home), idsOf(reached)], [idsOf(live), idsOf(live)]);
      assert.equal(reached[0]?.reach, reachBit('xiaomi', 1));
    });
  });

  test('accept 33 of 100 calls that add three tags each, so that a device never has more than 100 tags', async () => {
    const [racer] = (await addRacers(++racesMade)) as [Racer];
    const calls = Array.from({ length: 100 }, (_, i) => [`a${i}`, `b${i}`, `c${i}`]);
    const answers = await Promise.all(
      calls.map((add, i) => call<{ tags: string[] } | null>('/device/tag', { add }, racer, i)),
    );
    const acceptedCalls = calls.filter((_, i) => answers[i]?.code === 200);
    assert.equal(acceptedCalls.length, 33);
    assert.equal(answers.filter(({ code }) => code === 12005).length, 67);
    for (const { data } of answers) if (data) assert.ok(data.tags.length <= 100);
    const { data: after } = await call<{ tags: string[] }>('/device/tag', {}, racer, 0);
    assert.deepEqual(after.tags, acceptedCalls.flat().sort());
  });

  test('keep at most twenty devices of a user who logs in on 25 devices, and revoke the tokens of the others', async () => {
    for (const round of [1, 2, 3]) {
      const userId = await addUser(carillon.storage.home, carillon.appId);
      const logins = await Promise.all(
        Array.from({ length: 25 }, async (_, i) => {
          const body = { user_id: userId, device_guid: `many-${round}-${i}` };
          const { code, data } = await carillon.tryPost<Login>('/admin/user/token', body, { api: apiOf(i) });
          assert.equal(code, 200);
          return data;
        }),
      );
      const headers = { user_id: userId.toString() };
      const { data: devices } = await carillon.post<{ push_token: string }[]>('/device/list', {}, { headers });
      const remainingTokens = new Set(devices.map(({ push_token }) => push_token));
      assert.ok(remainingTokens.size <= 20 && remainingTokens.size > 0, `${remainingTokens.size} devices`);
      const codeOf = async ({ token }: Login, n: number) => (await call('/device/list', {}, { token }, n)).code;
      await eventually(async () => {
        const codes = await Promise.all(logins.map(async (login) => [await codeOf(login, 0), await codeOf(login, 1)]));
        assert.deepEqual(
          codes,
          logins.map(({ push_token }) =>
            remainingTokens.has(push_token) ? [200, 200] : [TOKEN_INVALID, TOKEN_INVALID],
          ),
        );
      }, REVOKED_SECONDS_MAX);
    }
  });

  test('complete both a login on a device and the deletion of that device, and leave no partial state', async () => {
    const userId = await addUser(carillon.storage.home, carillon.appId);
    for (let n = 0; n < RACES; n++) {
      const device_guid = `erased-${n}`;
      await carillon.post('/admin/user/token', { user_id: userId, device_guid });
      const [login, erased] = await Promise.all([
        carillon.tryPost<Login>('/admin/user/token', { user_id: userId, device_guid }, { api: apiOf(0) }),
        carillon.tryPost('/admin/device/delete', { device_guid }, { api: apiOf(1) }),
      ]);
      assert.deepEqual([login.code, erased.code], [200, 200]);
      const { data } = await carillon.post<{ list: { push_token: string }[] }>('/admin/device/find', { device_guid });
      const alive = data.list.some(({ push_token }) => push_token === login.data.push_token);
      await eventually(async () => {
        const { code } = await call('/device/tag', {}, login.data, n);
        assert.equal(code, alive ? 200 : TOKEN_INVALID);
      }, REVOKED_SECONDS_MAX);
    }
  });
});
