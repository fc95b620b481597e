import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Channel, channels, providerByVendor, type VendorName, vendorNames } from '#src/domain/channel.ts';
import { isOpen, placeStatus } from '#src/domain/slice.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { createSwarm, type DeviceSwarm } from '../../support/device-swarm.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';
import {
  findReclaimedPlaces,
  findUnconfirmedPlaces,
  type LedgerPlace,
  placeKey,
  readPlaces,
  readTraces,
} from '../../support/places.ts';
import { guidOf, insertVendorPhones, type VendorPhone } from '../../support/vendor-phones.ts';
import { startVendorSimulators, type VendorSimulators } from '../../support/vendor-simulators.ts';
import {
  A_DAY_MS,
  apnsTokenOf,
  type CounterTriple,
  certificateChanges,
  DEVICES,
  FINISH_SECONDS_MAX,
  isSilent,
  isSilentDead,
  KEEPALIVE_SECONDS,
  LIFETIME_SECONDS,
  LISTS_ALLOWED,
  LISTS_THROTTLED,
  OUTAGE_MS,
  PHONES_PER_VENDOR,
  SESSIONS,
  SINGLES_THROTTLED,
  sessions,
  TWENTIETH,
  throttledSingles,
  tokensOf,
  UNCONFIRMED_MIN,
  vendorsWithoutReceipts,
  vendorsWithReceipts,
} from './all-channels/fleet.ts';

describe(`a task to ${DEVICES} devices over ${channels.length} channels with many simultaneous faults`, () => {
  let vendors: VendorSimulators;
  let carillon: Carillon;
  let phones: readonly VendorPhone[];
  let swarm: DeviceSwarm;
  let taskId: bigint;
  /** Port of the killed gateway, and the sessions to which it wrote the notification. */
  let victim: number;
  const servedByVictim = new Set<number>();
  const quarterServed = Promise.withResolvers<void>();
  /** Ports of the gateways that wrote the notification to each session, in order. */
  const gatewayPortsBySession = new Map<number, number[]>();
  /** Places whose outcome was not recorded, or might not have been recorded, when a worker was killed. */
  let unconfirmed: readonly LedgerPlace[];
  /** Number of times each vendor accepted the notification, by vendor token. */
  const served = new Map<VendorName, ReadonlyMap<string, number>>();
  /** Number of phones that sent a receipt themselves, by vendor. */
  const reporters = new Map<VendorName, number>();

  before(async () => {
    await prepare();
    await makeTrouble();
    // Meizu and vivo do not get messages with such a near show_end_time. So the expiry is changed before the task is due.
    const begin = { show_begin_time: Math.floor(Date.now() / 1_000) + 3 };
    const message = { title: 'Ding', body: 'dong', ...begin, vivo: { classification: 1 } };
    taskId = await carillon.notify('all', message, { ospush_sequence: ['ups', 'fcm'] });
    await carillon.storage.home.query(`update tasks set not_after = now() + interval '${LIFETIME_SECONDS} s'`);
    await Promise.all([killWorker(), killGateway(), endOutage()]);
    await waitUntilFinished(carillon.storage, taskId, FINISH_SECONDS_MAX);
    for (const vendor of vendorNames) served.set(vendor, await readServed(vendor));
    for (const vendor of vendorsWithoutReceipts) await reportSome(vendor);
  });
  after(async () => {
    swarm?.[Symbol.dispose]();
    await carillon?.[Symbol.asyncDispose]();
    await vendors?.[Symbol.asyncDispose]();
  });
  async function prepare(): Promise<void> {
    vendors = await startVendorSimulators();
    const port = await freePort();
    carillon = await startCarillon({
      gateways: 2,
      workers: 0, // Workers are started after the credentials and sessions exist, because running workers detect new ones only after a delay.
      settings: {
        ...vendors.settings,
        CARILLON_API_PORT: `${port}`,
        CARILLON_PUBLIC_URL: `http://127.0.0.1:${port}`,
        CARILLON_LEASE_SECONDS: '14',
        CARILLON_VENDOR_DEADLINE_SECONDS: '10',
        CARILLON_BREAKER_PROBE_SECONDS: '2',
        CARILLON_INBOX_SECONDS: '60',
      },
    });
    await carillon.post('/admin/app/update', { extra_counters: true });
    for (const vendor of vendorNames) {
      const { certificate } = vendors.factsOf(vendor);
      const body = { provider: providerByVendor[vendor], ...certificate, name: vendor, ...certificateChanges[vendor] };
      await carillon.post('/admin/certificate/save', body);
    }
    for (const vendor of vendorsWithReceipts) {
      const body = { provider: providerByVendor[vendor] };
      const { data } = await carillon.post<{ path: string }>('/admin/certificate/callback', body);
      await vendors.post(vendor, '/receipts', { url: `http://127.0.0.1:${port}${data.path}` });
    }
    phones = await insertVendorPhones(carillon.storage, carillon.appId, PHONES_PER_VENDOR, tokensOf);
    victim = carillon.gateways[0]?.ports.gateway as number;
    const acknowledges = (i: number) => !isSilent(i);
    swarm = await createSwarm(carillon, SESSIONS, {
      apnsTokenOf,
      acknowledges,
      onNotification,
      keepalive: KEEPALIVE_SECONDS,
    });
    await swarm.connectAll();
    await eventually(async () => {
      const { shards } = carillon.storage;
      const rows = await Promise.all(shards.all.map((db) => db.query('select from sessions where online')));
      assert.equal(rows.flat().length, SESSIONS);
    });
    await Promise.all([carillon.start('worker'), carillon.start('worker')]);
  }

  function onNotification(i: number, _taskId: string, port: number): void {
    gatewayPortsBySession.set(i, [...(gatewayPortsBySession.get(i) ?? []), port]);
    if (port !== victim) return;
    servedByVictim.add(i);
    if (servedByVictim.size !== SESSIONS / 8) return;
    carillon.gateways[0]?.signal('SIGKILL'); // Kill the gateway immediately, so that the state it has not stored yet is lost.
    quarterServed.resolve();
  }

  async function makeTrouble(): Promise<void> {
    await vendors.post('huawei', '/faults', { kind: 'reset', duration_ms: A_DAY_MS });
    for (const vendor of vendorsWithReceipts.filter((name) => name !== 'huawei'))
      await throttle(vendor, LISTS_THROTTLED);
    for (const vendor of throttledSingles) await throttle(vendor, SINGLES_THROTTLED);
    const quota = { kind: 'quota', after_requests: LISTS_ALLOWED, duration_ms: A_DAY_MS };
    await vendors.post('xiaomi', '/faults', quota);
  }

  const throttle = (vendor: VendorName, requests: number) =>
    vendors.post(vendor, '/faults', { kind: 'throttle', requests, retry_after_seconds: 2 });

  /** Ends Huawei's outage after `OUTAGE_MS` and then throttles its requests. */
  async function endOutage(): Promise<void> {
    await eventually(async () => assert.ok((await timesMet('huawei', /^reset$/)) > 0), 30);
    await sleep(OUTAGE_MS);
    await vendors.endFaults('huawei');
    await throttle('huawei', LISTS_THROTTLED);
  }

  /** Counts the requests that a vendor's simulator labelled with a matching result. */
  async function timesMet(vendor: VendorName, answer: RegExp): Promise<number> {
    type Counts = Record<string, { requests: Record<string, number> }>;
    const endpointCounts = Object.values(await vendors.get<Counts>(vendor, '/counts'));
    const answers = endpointCounts.flatMap(({ requests }) => Object.entries(requests));
    return answers.reduce((sum, [label, times]) => sum + (answer.test(label) ? times : 0), 0);
  }

  /** Kills a worker when a quarter of the APNs phones have been reached and vendor calls are in flight. */
  async function killWorker(): Promise<void> {
    await eventually(async () => {
      const { total } = await vendors.get<{ total: number }>('apns', '/arrived?limit=1');
      assert.ok(total >= PHONES_PER_VENDOR / 4, `Apple delivered only ${total} notifications`);
      const { length } = await findUnconfirmedPlaces(carillon.storage, taskId);
      assert.ok(length >= UNCONFIRMED_MIN, `only ${length} places have no confirmed outcome`);
    }, 30);
    await carillon.workers[0]?.kill();
    unconfirmed = await findUnconfirmedPlaces(carillon.storage, taskId);
    await carillon.start('worker');
  }

  async function killGateway(): Promise<void> {
    await quarterServed.promise;
    await carillon.gateways[0]?.kill();
    await carillon.start('gateway');
  }

  async function readServed(vendor: VendorName): Promise<ReadonlyMap<string, number>> {
    type Tally = { whole: boolean; tally: Record<string, Record<string, number>> };
    const { whole, tally } = await vendors.get<Tally>(vendor, '/tally');
    // Some vendors receive a number derived from the task id instead of the task id. There is only one task.
    const tasks = Object.values(tally);
    assert.ok(whole && tasks.length <= 1, `${vendor}: ${Object.keys(tally)}`);
    return new Map(Object.entries(tasks[0] ?? {}));
  }

  /** Sends receipts for some phones, as an app does: with the reference from the payload. */
  async function reportSome(vendor: VendorName): Promise<void> {
    const { arrived } = await vendors.get<{ arrived: { token: string }[] }>(vendor, '/arrived?limit=20000');
    const byToken = new Map(arrived.map((one) => [one.token, one]));
    const reached = phones.filter(({ tokens }) => byToken.has(tokens.get(vendor) ?? ''));
    const reportingPhones = reached.filter((_, i) => i % TWENTIETH === 0);
    const report = async ({ tokens, pushToken }: VendorPhone, i: number) => {
      const shown = JSON.stringify(byToken.get(tokens.get(vendor) as string));
      const [, reference] = /\\*"reference\\*":\\*"([\w.-]+)/.exec(shown) ?? [];
      assert.ok(reference, shown);
      for (let times = 0; times <= i % 2; times++)
        await carillon.post('/device/receipt', { list: [reference], push_token: pushToken });
    };
    await Promise.all(reportingPhones.map(report));
    reporters.set(vendor, reportingPhones.length);
  }

  const phonesOf = (vendor: VendorName) => phones.filter((phone) => phone.vendor === vendor);
  const tokensServed = (vendor: VendorName) => [...(served.get(vendor)?.keys() ?? [])];
  const isServed = (vendor: VendorName, { tokens }: VendorPhone) =>
    served.get(vendor)?.has(tokens.get(vendor) ?? '') === true;
  const namedSo = (vendor: VendorName, outcome: string) =>
    phonesOf(vendor).filter(({ tokens }) => tokens.get(vendor)?.startsWith(`${outcome}-`));
  const count = (isSo: (i: number) => boolean) => sessions.filter(isSo).length;
  const isSentByLiveGateway = (i: number) => gatewayPortsBySession.get(i)?.some((port) => port !== victim) === true;
  /** Returns true if Apple received the notification, or would have received it with a live token. */
  const hasFallenBack = (i: number) => isSilentDead(i) || served.get('apns')?.has(apnsTokenOf(i) ?? '') === true;
  /**
   * An acknowledgement counts unless it was lost with its gateway. If it was lost, the worker falls back to APNs, and a
   * session without an APNs token receives the notification again.
   */
  const isRecorded = (i: number) =>
    gatewayPortsBySession.has(i) && !isSilent(i) && (isSentByLiveGateway(i) || !hasFallenBack(i));

  test('every reachable device is reached through the expected vendor', () => {
    for (const vendor of vendorNames.filter((name) => name !== 'xiaomi')) {
      const living = phonesOf(vendor).filter(({ tokens }) => !/^(dead|busy)-/.test(tokens.get(vendor) as string));
      const missing = living.filter((phone) => !isServed(vendor, phone));
      assert.deepEqual(missing.map(guidOf), [], `${vendor}: ${missing.length} phones were not reached`);
      assert.deepEqual(
        tokensServed(vendor).filter((token) => /^(dead|busy)-/.test(token)),
        [],
      );
    }
    const ofXiaomi = phonesOf('xiaomi').filter((phone) => isServed('xiaomi', phone)).length;
    assert.ok(
      ofXiaomi > 0 && ofXiaomi < PHONES_PER_VENDOR / 2,
      `Xiaomi accepted ${ofXiaomi} notifications before the quota was used up`,
    );
    const missing = phonesOf('xiaomi').filter((phone) => !isServed('xiaomi', phone) && !isServed('fcm', phone));
    assert.deepEqual(missing.map(guidOf), [], `${missing.length} Xiaomi phones were not reached`);
    assert.deepEqual(
      sessions.filter((i) => !gatewayPortsBySession.has(i) && !hasFallenBack(i)),
      [],
      'every session received the notification, or APNs received it for the same phone',
    );
  });

  test('every device is in the expected final state', async () => {
    const places = await readPlaces(carillon.storage, taskId);
    assert.equal(new Set(places.map(({ deviceId }) => deviceId)).size, DEVICES);
    assert.deepEqual(
      places.filter(({ status, sliceState }) => isOpen(status) || sliceState !== 'closed'),
      [],
    );
    const names = new Map<number, string>(Object.entries(placeStatus).map(([name, status]) => [status, name]));
    const ends = new Map<string, number>();
    for (const { channel, status } of places) {
      // Xiaomi reports a dead token and an exhausted quota differently, but in both cases FCM is the next channel.
      const isHanded = channel === 'xiaomi' && status !== placeStatus.sent;
      const end = `${channel} ${isHanded ? 'handed over' : names.get(status)}`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    const expected = vendorNames
      .filter((vendor) => vendor !== 'xiaomi')
      .flatMap((vendor): [string, number][] => [
        [`${vendor} sent`, tokensServed(vendor).length],
        [`${vendor} dead`, namedSo(vendor, 'dead').length + (vendor === 'apns' ? count(isSilentDead) : 0)],
      ]);
    const handedOver = phonesOf('xiaomi').filter((phone) => isServed('fcm', phone)).length;
    expected.push(
      ['xiaomi sent', PHONES_PER_VENDOR - handedOver],
      ['xiaomi handed over', handedOver],
      ['apns expired', namedSo('apns', 'busy').length],
      ['nativepush sent', count(isRecorded)],
      ['nativepush fellBack', count((i) => !isRecorded(i) && hasFallenBack(i) && !isSilentDead(i))],
      ['nativepush expired', count((i) => isSilent(i) && (!hasFallenBack(i) || isSilentDead(i)))],
    );
    assert.deepEqual(Object.fromEntries(ends), Object.fromEntries(expected));
  });

  test('the trace explains that Apple throttled the phone until the notification expired', async () => {
    const traces = await readTraces(carillon.storage, taskId);
    for (const { deviceId } of namedSo('apns', 'busy')) {
      const words = traces.get(placeKey({ channel: 'apns', deviceId })) ?? [];
      assert.equal(words.at(-1), 'expired');
      assert.ok(words.includes('throttled'), `${words}`);
    }
  });

  test('all counters equal the numbers that the simulators and devices accepted and reported', async () => {
    await eventually(async () => {
      for (const vendor of vendorsWithReceipts)
        assert.equal((await vendors.get<{ waiting: number }>(vendor, '/receipts')).waiting, 0);
    });
    const expected = new Map<Channel, CounterTriple>();
    for (const vendor of vendorNames) {
      const { length } = tokensServed(vendor);
      const muted = tokensServed(vendor).filter((token) => token.startsWith('muted-')).length;
      expected.set(vendor, [PHONES_PER_VENDOR, length, reporters.get(vendor) ?? length - muted]);
    }
    const handedOver = phonesOf('xiaomi').filter((phone) => isServed('fcm', phone)).length;
    (expected.get('fcm') as CounterTriple)[0] += handedOver;
    (expected.get('apns') as CounterTriple)[0] += count(hasFallenBack);
    expected.set('nativepush', [SESSIONS, await sentNatively(), count(isRecorded)]);
    await eventually(async () =>
      assert.deepEqual(await carillon.counters(taskId), Object.fromEntries([...expected].sort())),
    );
  });

  /**
   * Counts the sessions that received the notification, except those whose gateway was killed before it reported the
   * write.
   */
  async function sentNatively(): Promise<number> {
    let sent = 0;
    for (const i of gatewayPortsBySession.keys()) {
      const isInQuestion = !isSentByLiveGateway(i) && hasFallenBack(i);
      if (!isInQuestion || (await isSaidToBeWritten(i))) sent++;
    }
    return sent;
  }

  async function isSaidToBeWritten(i: number): Promise<boolean> {
    type Trace = { list: [{ attempts: { channel: string; said: string }[] }] };
    const body = { task_id: taskId, push_token: swarm.members[i]?.login.push_token };
    const { data } = await carillon.post<Trace>('/push/task/trace', body);
    return data.list[0].attempts.some(({ said: words }) => words === 'written');
  }

  test('no device receives the notification more often than the trace explains', async () => {
    const traces = await readTraces(carillon.storage, taskId);
    const again = new Set((await findReclaimedPlaces(carillon.storage, taskId, unconfirmed)).map(placeKey));
    assert.ok(again.size > 0, 'the worker was killed during vendor calls');
    /** Returns the number of explained repeats: calls without a clear response, and one call of a killed worker. */
    const explained = (channel: VendorName, deviceId: bigint): number => {
      const key = placeKey({ channel, deviceId });
      const unclear = traces.get(key)?.filter((word) => word === 'unreachable').length ?? 0;
      return unclear + (again.has(key) ? 1 : 0);
    };
    const bindings = await Promise.all(
      carillon.storage.shards.all.map((db) =>
        db.query<{ token: string; deviceId: bigint }>(
          `select token, device_id as "deviceId" from bindings where channel = 'apns'`,
        ),
      ),
    );
    const deviceByApnsToken = new Map(bindings.flat().map(({ token, deviceId }) => [token, deviceId]));
    let repeats = 0;
    for (const { tokens, deviceId } of phones)
      for (const [vendor, token] of tokens) {
        const times = served.get(vendor)?.get(token) ?? 0;
        const max = 1 + explained(vendor, deviceId);
        assert.ok(times <= max, `${token}: received ${times} times, expected at most ${max}`);
        repeats += Math.max(times - 1, 0);
      }
    for (const phone of phonesOf('xiaomi').filter((one) => isServed('xiaomi', one) && isServed('fcm', one)))
      assert.ok(explained('xiaomi', phone.deviceId) > 0, `${phone.guid} received the notification from two vendors`);
    for (const [i, ports] of gatewayPortsBySession) {
      const byLiving = ports.filter((port) => port !== victim).length;
      assert.ok(
        byLiving <= 1 && ports.length - byLiving <= 1,
        `session ${i} received the notification from the gateways on ports ${ports}`,
      );
      if (hasFallenBack(i))
        assert.ok(
          isSilent(i) || byLiving === 0,
          `session ${i} acknowledged the notification, but APNs received it too`,
        );
      const apnsToken = apnsTokenOf(i) ?? '';
      const times = served.get('apns')?.get(apnsToken) ?? 0;
      const max = 1 + explained('apns', deviceByApnsToken.get(apnsToken) ?? 0n);
      assert.ok(
        times <= max,
        `Apple received the notification ${times} times for session ${i}, at most ${max} expected`,
      );
    }
    console.log(`${repeats} repeated notifications, ${again.size} unconfirmed places`);
  });

  test('every injected fault took effect', async () => {
    for (const vendor of vendorsWithReceipts)
      assert.equal(await timesMet(vendor, / throttle$/), LISTS_THROTTLED, vendor);
    for (const vendor of throttledSingles)
      assert.equal(await timesMet(vendor, / throttle$/), SINGLES_THROTTLED, vendor);
    assert.ok((await timesMet('apns', /TooManyRequests/)) >= namedSo('apns', 'busy').length);
    assert.ok(carillon.logLines.some((line) => /"channel":"huawei".*"breaker-tripped"/.test(line)));
    assert.ok((await timesMet('xiaomi', / quota$/)) > 0);
    assert.deepEqual([carillon.workers[0]?.isAlive, carillon.gateways[0]?.isAlive], [false, false]);
    assert.equal(swarm.connected, SESSIONS, 'sessions of the killed gateway connected to another one');
    assert.deepEqual(carillon.errorLines, []);
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
});
