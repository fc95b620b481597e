import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { providerByVendor } from '#src/domain/channel.ts';
import { inTransaction, type ShardDb } from '#src/storage/database/database.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { queryCountOf, runConcurrently } from '../../support/concurrent-calls.ts';
import { eventually } from '../../support/eventually.ts';
import { insertVendorPhones } from '../../support/vendor-phones.ts';
import { startVendorSimulators, type VendorSimulators } from '../../support/vendor-simulators.ts';

const PHONES = 300;
/**
 * Maximum number of queries. Without batching, each call would need one query for the owner of its token and another
 * for its place.
 */
const QUERIES_MAX = PHONES / 2;
/** OPPO treats any 200 as success. */
const UNDERSTOOD = 200;

/** With this setting, a task to all devices has slices in every bucket, even if there are few devices. */
const LISTS = { CARILLON_SINGLE_EXPANSION_DEVICES_MAX: '1' };

/** OPPO makes one call per phone. */
describe(`${PHONES} simultaneous calls with one receipt each`, () => {
  let vendors: VendorSimulators;
  let carillon: Carillon;
  let callbackPath: string;
  /** The callbacks of OPPO, kept until the test sends them. */
  const callbackBodies: string[] = [];
  const keeper = createServer((request, response) => {
    void text(request).then((body) => {
      callbackBodies.push(body);
      response.end('{}');
    });
  });

  before(async () => {
    vendors = await startVendorSimulators();
    carillon = await startCarillon({ databases: 3, gateways: 0, settings: { ...vendors.settings, ...LISTS } });
    const provider = providerByVendor.oppo;
    await carillon.post('/admin/certificate/save', { provider, ...vendors.factsOf('oppo').certificate, name: 'OPPO' });
    const { data } = await carillon.post<{ path: string }>('/admin/certificate/callback', { provider });
    callbackPath = data.path;
    await once(keeper.listen(0, '127.0.0.1'), 'listening');
  });
  after(async () => {
    keeper.close();
    await carillon[Symbol.asyncDispose]();
    await vendors[Symbol.asyncDispose]();
  });

  const notify = (pushTokens: readonly string[]): Promise<bigint> =>
    carillon.notify({ push_token: pushTokens }, { body: 'ding' }, { distribution_strategy: 'ospush_only' });

  async function tell(body: string, api = carillon.apis[0] as RoleProcess): Promise<number> {
    const response = await fetch(`${api.apiUrl}${callbackPath}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    await response.text();
    return response.status;
  }

  test('are looked up in batches, accepted, and counted exactly even if the calls are repeated', async () => {
    const phones = await insertVendorPhones(carillon.storage, carillon.appId, PHONES, (vendor, i) =>
      vendor === 'oppo' ? new Map([['oppo', `live-oppo-${i}`]]) : new Map(),
    );
    const pushTokens = phones.filter(({ tokens }) => tokens.size > 0).map(({ pushToken }) => pushToken);
    // Until the worker has read the callback URL, references have no key and receipts do not count.
    await vendors.post('oppo', '/receipts', { url: `${carillon.apis[0]?.apiUrl}${callbackPath}` });
    await eventually(async () => {
      const first = await notify(pushTokens.slice(0, 1));
      await eventually(async () => assert.deepEqual(await carillon.counters(first), { oppo: [1, 1, 1] }), 1);
    });
    const { port } = keeper.address() as AddressInfo;
    await vendors.post('oppo', '/receipts', { url: `http://127.0.0.1:${port}/` });
    const taskId = await notify(pushTokens);
    await eventually(() => assert.equal(callbackBodies.length, PHONES));
    const role = carillon.apis[0] as RoleProcess;
    const before = await queryCountOf(role);
    const bodies = [...callbackBodies, ...callbackBodies];
    const statuses = await runConcurrently(
      { role, home: carillon.storage.home, table: 'vendor_token_owners', calls: bodies.length },
      () => Promise.all(bodies.map((body) => tell(body))),
    );
    const queryCount = (await queryCountOf(role)) - before;
    assert.deepEqual(
      statuses,
      statuses.map(() => UNDERSTOOD),
    );
    console.log(`${statuses.length} calls needed ${queryCount} queries`);
    assert.ok(queryCount < QUERIES_MAX, `${queryCount} queries for ${statuses.length} calls`);
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { oppo: [PHONES, PHONES, PHONES] }));
  });

  test('store the time of the last receipt for operators', async () => {
    const at = await eventually(async () => {
      const { data } = await carillon.post<{ provider: number; last_receipt_at: number | null }[]>(
        '/admin/channel/list',
        {},
      );
      const times = new Map(data.map(({ provider, last_receipt_at }) => [provider, last_receipt_at]));
      assert.equal(times.get(providerByVendor.apns), null);
      assert.notEqual(times.get(providerByVendor.oppo), null);
      return Number(times.get(providerByVendor.oppo));
    });
    assert.ok(Math.abs(Date.now() - at) < 600_000);
  });

  test('do not wait until the time of the last receipt is stored, and store it only once a minute', async () => {
    const { home } = carillon.storage;
    // The first receipt of a process is always stored.
    const api = await carillon.start('api');
    const [held, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = inTransaction(home, async (tx) => {
      await tx.query('lock table last_receipts in access exclusive mode');
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    try {
      for (const body of callbackBodies.slice(0, 5)) assert.equal(await tell(body, api), UNDERSTOOD);
      await eventually(async () => {
        const waiting = await home.query(
          `select from pg_locks where not granted and relation = 'last_receipts'::regclass`,
        );
        assert.equal(waiting.length, 1);
      });
    } finally {
      held.resolve();
    }
    await holding;
  });

  test('wait only for their own database', async () => {
    callbackBodies.length = 0;
    const taskId = await carillon.notify('all', { body: 'dong' }, { distribution_strategy: 'ospush_only' });
    await eventually(() => assert.equal(callbackBodies.length, PHONES));
    const { shards } = carillon.storage;
    const slow = shards.all[0] as ShardDb;
    const ofSlow = callbackBodies.filter((body) => shards.dbFor(bucketOf(body)) === slow);
    assert.ok(
      ofSlow.length > 0 && ofSlow.length < PHONES,
      `${ofSlow.length} of ${PHONES} calls wait: ${callbackBodies[0]}`,
    );
    const [held, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = inTransaction(slow, async (tx) => {
      await tx.query('lock table slice_targets in access exclusive mode');
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const answered: number[] = [];
    const telling = Promise.all(callbackBodies.map(async (body) => answered.push(await tell(body))));
    try {
      await eventually(() => assert.equal(answered.length, PHONES - ofSlow.length), 5);
    } finally {
      held.resolve();
    }
    await Promise.all([holding, telling]);
    assert.deepEqual(new Set(answered), new Set([UNDERSTOOD]));
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { oppo: [PHONES, PHONES, PHONES] }));
  });
});

/** Returns the bucket from the reference in OPPO's callback. */
function bucketOf(body: string): number {
  const reference = /\d+\.(\d+)\.\d+\.[\w-]{16}/.exec(body);
  return Number(reference?.[1]);
}
