import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { providerByVendor, type VendorName } from '#src/domain/channel.ts';
import { tripBreaker } from '#src/storage/accounts/breakers.ts';
import { findCertificates } from '#src/storage/accounts/certificates.ts';
import { halveRate, startRamp, takePermits } from '#src/storage/accounts/rates.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';
import { startVendorSimulators, type VendorSimulators } from '../../support/vendor-simulators.ts';

interface Channel {
  readonly provider: number;
  readonly environment: number;
  readonly spent: readonly { readonly class: string; readonly until: number }[];
  readonly per_second: number | null;
  readonly throttled_at: number | null;
}

/** A contracted rate limit at which a notification to a few phones takes some seconds. */
const PACED_PER_SECOND = 3;
const PACED_PHONES = 9;
const HOUR_MS = 3_600_000;
const BEIJING_MS = 8 * HOUR_MS;

let vendors: VendorSimulators;
let carillon: Carillon;
let ada: TestUser;
before(async () => {
  vendors = await startVendorSimulators();
  carillon = await startCarillon({
    gateways: 0,
    workers: 2,
    settings: { ...vendors.settings, CARILLON_SINGLE_EXPANSION_DEVICES_MAX: '1' },
  });
  ada = await carillon.createUser('ada');
  for (const vendor of ['vivo', 'fcm', 'honor', 'flyme'] as const) await saveCertificate(vendor);
  await saveCertificate('apns', { per_second: PACED_PER_SECOND });
});
after(async () => {
  await carillon[Symbol.asyncDispose]();
  await vendors[Symbol.asyncDispose]();
});

async function saveCertificate(vendor: VendorName, change: object = {}): Promise<void> {
  const body = { provider: providerByVendor[vendor], ...vendors.factsOf(vendor).certificate, name: vendor, ...change };
  assert.equal((await carillon.post('/admin/certificate/save', body)).code, 200);
}

let phones = 0;
async function newPhone(...at: readonly VendorName[]): Promise<Login> {
  const login = await carillon.logIn(ada, `phone-${++phones}`);
  for (const vendor of at) await bind(login, vendor, `live-${vendor}-${phones}`);
  return login;
}

const bind = ({ token: access }: Login, vendor: VendorName, token: string) =>
  carillon.post('/device/bind', { provider: providerByVendor[vendor], token }, { token: access });

const notify = (phone: Login, message: object = { title: 'Ding', body: 'dong' }) => notifyAll([phone], message);
const notifyAll = (logins: readonly Login[], message: object = { title: 'Ding', body: 'dong' }) =>
  carillon.notify({ push_token: logins.map(({ push_token }) => push_token) }, message, {
    distribution_strategy: 'ospush_only',
    ospush_sequence: ['vivo', 'meizu', 'fcm', 'ups'],
  });

const counts = (taskId: bigint, expected: Record<string, [number, number, number]>) =>
  eventually(async () => assert.deepEqual(await carillon.counters(taskId), expected));

async function channel(vendor: VendorName): Promise<Channel> {
  const { data } = await carillon.post<Channel[]>('/admin/channel/list', {});
  const isIt = (one: Channel) => one.provider === providerByVendor[vendor] && one.environment === 1;
  return data.find(isIt) as Channel;
}

async function requests(vendor: VendorName): Promise<number> {
  const { send } = await vendors.get<{ send: { requests: Record<string, number> } }>(vendor, '/counts');
  return Object.values(send.requests).reduce((sum, count) => sum + count, 0);
}

describe('a daily quota that is used up', () => {
  test('stops calls to the vendor, sends through the next vendor, and shows operators the time at which it is renewed', async () => {
    const phone = await newPhone('vivo', 'fcm');
    const system = { title: 'Ding', body: 'dong', vivo: { classification: 1 } };
    await counts(await notify(phone, system), { vivo: [1, 1, 0] });
    await vendors.post('vivo', '/faults', { kind: 'quota', requests: 1 });
    await counts(await notify(phone, system), { vivo: [1, 0, 0], fcm: [1, 1, 0] });
    const { spent } = await eventually(async () => {
      const vivoChannel = await channel('vivo');
      assert.equal(vivoChannel.spent.length, 1);
      return vivoChannel;
    });
    const until = new Date(Number(spent[0]?.until) + BEIJING_MS);
    assert.match(until.toISOString(), /T0[07]:00:00\.000Z$/, 'the quota is renewed at 00:00 or 07:00 Beijing time');
    await eventually(() => assert.ok(carillon.logLines.some((line) => line.includes('quota-spent'))));

    await sleep(1_000); // By then, every worker has read the quota state that one of them recorded.
    const before = await requests('vivo');
    for (let i = 0; i < 3; i++) await counts(await notify(phone, system), { vivo: [1, 0, 0], fcm: [1, 1, 0] });
    assert.equal((await requests('vivo')) - before, 0, 'the vendor is not called');
  });

  test('applies only to its message class', async () => {
    const { spent } = await channel('vivo');
    const phone = await newPhone('vivo', 'fcm');
    const other = spent[0]?.class === 'system' ? 0 : 1;
    const taskId = await notify(phone, { title: 'Ding', body: 'dong', vivo: { classification: other } });
    await waitUntilFinished(carillon.storage, taskId);
    const { vivo } = await carillon.counters(taskId);
    // At night vivo accepts no operational messages. Carillon treats this as a separate quota.
    assert.ok(vivo?.[1] === 1 || (await channel('vivo')).spent.length === 2);
  });
});

test('a phone that has reached its daily limit is reached through the next vendor, and other phones are not affected', async () => {
  const capped = await newPhone('fcm');
  await bind(capped, 'flyme', 'capped-1');
  await counts(await notify(capped), { flyme: [1, 0, 0], fcm: [1, 1, 0] });
  const other = await newPhone('flyme', 'fcm');
  await counts(await notify(other), { flyme: [1, 1, 0] });
  assert.deepEqual((await channel('flyme')).spent, []);
});

describe('a send to many devices', () => {
  const account = { appId: 'bells', channel: 'fcm', environment: 0 } as const;
  const perSecond = async (rampSeconds?: number) => {
    const request = { requested: 0, limitPerSecond: 10_000, isPrompt: true, rampSeconds };
    return (await takePermits(carillon.storage.home, account, request)).perSecond;
  };
  const secondsAgo = (seconds: number) =>
    carillon.storage.home.query(
      `update rates set ramp_at = now() - $1 * interval '1 s' where app_id = 'bells' and channel = 'fcm' and environment = 0`,
      [seconds],
    );

  test('starts with a tenth of the rate and reaches all of it after the time of the ramp', async () => {
    await startRamp(carillon.storage.home, account, 10_000);
    for (const [seconds, expected] of [
      [0, 1_000],
      [30, 5_500],
      [60, 10_000],
      [3_600, 10_000],
    ] as const) {
      await secondsAgo(seconds);
      const actual = await perSecond(60);
      assert.ok(actual >= expected && actual < expected + 300, `${actual} after ${seconds} s`);
    }
  });

  test('does not slow down a vendor that needs no ramp', async () => {
    await secondsAgo(0);
    assert.equal(await perSecond(), 10_000);
  });

  test('shares the ramp of another one a short time before', async () => {
    await secondsAgo(300);
    await startRamp(carillon.storage.home, account, 10_000);
    assert.equal(await perSecond(60), 10_000);
    await secondsAgo(601);
    await startRamp(carillon.storage.home, account, 10_000);
    assert.ok((await perSecond(60)) < 1_300);
  });

  test('is recognized by the statistics of the planner, and starts the ramp only at FCM', async () => {
    const rampedChannels = async () =>
      (
        await carillon.storage.home.query<{ channel: string }>(
          'select channel from rates where app_id = $1 and environment = 1 and ramp_at is not null',
          [carillon.appId],
        )
      ).map(({ channel: ramped }) => ramped);
    await newPhone('fcm');
    await newPhone('vivo');
    const toAll = () => carillon.notify('all', { body: 'x' }, { distribution_strategy: 'ospush_only' });
    await waitUntilFinished(carillon.storage, await toAll());
    assert.deepEqual(await rampedChannels(), []);
    for (const db of carillon.storage.shards.all)
      await db.query(`update pg_class set reltuples = 1e8, relpages = 1 where oid = 'devices'::regclass`);
    await waitUntilFinished(carillon.storage, await toAll());
    assert.deepEqual(await rampedChannels(), ['fcm']);
  });
});

describe('a rate limit', () => {
  const account = { appId: 'bells', channel: 'oppo', environment: 0 } as const;
  const take = (requested: number, isPrompt = true, limitPerSecond = 1_000) =>
    takePermits(carillon.storage.home, account, { requested, limitPerSecond, isPrompt });

  test('grants at most the permits of one second, reserves some for single notifications, and is refilled', async () => {
    assert.equal((await take(300)).granted, 300);
    const rest = await take(10_000, false);
    assert.ok(rest.granted >= 500 && rest.granted <= 800, `${rest.granted}: a fifth is reserved`);
    assert.ok((await take(100)).granted === 100, 'the reserved permits are granted to single notifications');
    await eventually(async () => assert.ok((await take(100, false)).granted > 0));
  });

  test('is shared: concurrent callers get no more permits than are available', async () => {
    await carillon.storage.home.query("update rates set permits = per_second, at = now() where channel = 'oppo'");
    const taken = await Promise.all(Array.from({ length: 20 }, () => take(200)));
    const granted = taken.reduce((sum, one) => sum + one.granted, 0);
    assert.ok(granted >= 1_000 && granted < 3_000, `${granted}`);
  });

  test('is available for bulk work even if it is only one per second', async () => {
    await eventually(async () => assert.equal((await take(100, false, 1)).granted, 1));
  });

  test('follows a changed limit immediately, and stays reduced in proportion after throttling', async () => {
    const second = async (limitPerSecond: number) => Math.round((await take(0, true, limitPerSecond)).perSecond);
    assert.equal(await second(5_000), 5_000);
    await carillon.storage.home.query("update rates set at = at - interval '1 s' where channel = 'oppo'");
    assert.equal((await take(5_000, true, 5_000)).granted, 5_000, 'more permits are granted than before');
    assert.equal(await second(10), 10);
    assert.ok((await take(5_000, true, 10)).granted <= 10, 'fewer permits are granted than before');
    assert.equal(await second(5_000), 5_000);
    await halveRate(carillon.storage.home, account);
    const halves = [await second(5_000), await second(1_000), await second(20_000)];
    for (const [i, limit] of [5_000, 1_000, 20_000].entries()) {
      const share = (halves[i] as number) / limit;
      assert.ok(share >= 0.5 && share < 0.6, `${share} of ${limit}`);
    }
  });

  test('is halved for all workers when the vendor throttles, and no notification is lost', async () => {
    const phone = await newPhone('fcm');
    await counts(await notify(phone), { fcm: [1, 1, 0] });
    assert.equal((await channel('fcm')).per_second, 10_000);
    await vendors.post('fcm', '/faults', { kind: 'throttle', requests: 1, retry_after_seconds: 1 });
    const taskId = await notify(phone);
    await counts(taskId, { fcm: [1, 1, 0] });
    const { per_second, throttled_at } = await channel('fcm');
    assert.ok(Number(per_second) >= 5_000 && Number(per_second) < 6_000, `${per_second}`);
    assert.ok(throttled_at);
  });

  test('is enforced if it was agreed with a vendor that has no general limit', async () => {
    assert.equal((await channel('apns')).per_second, PACED_PER_SECOND);
    const some: Login[] = [];
    while (some.length < PACED_PHONES) some.push(await newPhone('apns'));
    await counts(await notifyAll(some), { apns: [PACED_PHONES, PACED_PHONES, 0] });
    const { arrived } = await vendors.get<{ arrived: { at: number }[] }>('apns', '/arrived');
    const instants = arrived.map(({ at }) => at);
    const tookMs = Math.max(...instants) - Math.min(...instants);
    assert.equal(instants.length, PACED_PHONES, 'each phone receives the notification once');
    // The permits of one second may be available at the beginning, and some calls take longer than others.
    assert.ok(tookMs > ((PACED_PHONES - PACED_PER_SECOND) / PACED_PER_SECOND) * 1_000 - 500, `${tookMs} ms`);
  });

  test('overrides the general limit if it was agreed with the vendor, until the credentials are saved without it', async () => {
    const phone = await newPhone('honor');
    const rate = async () => {
      await counts(await notify(phone), { honor: [1, 1, 0] });
      const [row] = await carillon.storage.home.query<{ perSecond: number }>(
        `select per_second as "perSecond" from rates where channel = 'honor'`,
      );
      return row?.perSecond;
    };
    assert.equal(await rate(), 3_000);
    await saveCertificate('honor', { per_second: 20_000 });
    assert.equal((await channel('honor')).per_second, 20_000);
    await eventually(async () => assert.equal(await rate(), 20_000));
    await saveCertificate('honor');
    assert.equal((await channel('honor')).per_second, 3_000);
    await eventually(async () => assert.equal(await rate(), 3_000));
  });

  test('does not delay the probe of a paused channel', async () => {
    const phone = await newPhone('honor');
    const { home } = carillon.storage;
    await sleep(1_000); // By then, the permits that a worker holds have expired.
    await home.query("update rates set permits = -1e9, at = now() where channel = 'honor'");
    const key = { appId: carillon.appId, channel: 'honor', environment: 1 } as const;
    const [certificate] = (await findCertificates(home, carillon.appId)).filter((one) => one.channel === 'honor');
    const version = certificate?.version as number;
    await tripBreaker(home, { ...key, version, cause: 'unreachable', reason: 'away', suspect: false }, 0);
    await counts(await notify(phone), { honor: [1, 1, 0] });
  });
});

test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
