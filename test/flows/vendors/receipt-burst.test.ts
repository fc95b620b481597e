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
import { questionsOf, together } from '../../support/concurrent-calls.ts';
import { eventually } from '../../support/eventually.ts';
import { fillBells } from '../../support/vendor-phones.ts';
import { startVendors, type Vendors } from '../../support/vendor-simulators.ts';

const PHONES = 300;
/** One by one, each call would ask for the owner of its token and for its place. */
const QUESTIONS_MAX = PHONES / 2;
/** What OPPO takes for "understood" is any 200. */
const UNDERSTOOD = 200;

/** Whatever is for everybody is in every shard, however few they are. */
const LISTS = { CARILLON_LIST_DEVICES_MAX: '1' };

/** OPPO makes a call for each phone. */
describe(`${PHONES} calls with a receipt each, at once`, () => {
  let vendors: Vendors;
  let carillon: Carillon;
  let callbackUrl: string;
  /** What OPPO says, kept until the test says it. */
  const said: string[] = [];
  const keeper = createServer((request, response) => {
    void text(request).then((body) => {
      said.push(body);
      response.end('{}');
    });
  });

  before(async () => {
    vendors = await startVendors();
    carillon = await startCarillon({ gateways: 0, settings: { ...vendors.settings, ...LISTS } });
    const provider = providerByVendor.oppo;
    await carillon.post('/admin/certificate/save', { provider, ...vendors.of('oppo').certificate, name: 'OPPO' });
    const { data } = await carillon.post<{ path: string }>('/admin/certificate/callback', { provider });
    callbackUrl = `${carillon.apis[0]?.apiUrl}${data.path}`;
    await once(keeper.listen(0, '127.0.0.1'), 'listening');
  });
  after(async () => {
    keeper.close();
    await carillon[Symbol.asyncDispose]();
    await vendors[Symbol.asyncDispose]();
  });

  const notify = (pushTokens: readonly string[]): Promise<bigint> =>
    carillon.notify({ push_token: pushTokens }, { body: 'ding' }, { distribution_strategy: 'ospush_only' });

  async function tell(body: string): Promise<number> {
    const response = await fetch(callbackUrl, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    await response.text();
    return response.status;
  }

  test('are looked up together, all understood, and counted exactly, however often they are told', async () => {
    const phones = await fillBells(carillon.truth, carillon.appId, PHONES, (vendor, i) =>
      vendor === 'oppo' ? new Map([['oppo', `live-oppo-${i}`]]) : new Map(),
    );
    const pushTokens = phones.filter(({ tokens }) => tokens.size > 0).map(({ pushToken }) => pushToken);
    // Until the worker has heard of the address, references have no key and receipts do not count.
    await vendors.post('oppo', '/receipts', { url: callbackUrl });
    await eventually(async () => {
      const first = await notify(pushTokens.slice(0, 1));
      await eventually(async () => assert.deepEqual(await carillon.counters(first), { oppo: [1, 1, 1] }), 1);
    });
    const { port } = keeper.address() as AddressInfo;
    await vendors.post('oppo', '/receipts', { url: `http://127.0.0.1:${port}/` });
    const taskId = await notify(pushTokens);
    await eventually(() => assert.equal(said.length, PHONES));
    const role = carillon.apis[0] as RoleProcess;
    const before = await questionsOf(role);
    const bodies = [...said, ...said];
    const statuses = await together({ role, home: carillon.truth.home, table: 'bound', calls: bodies.length }, () =>
      Promise.all(bodies.map(tell)),
    );
    const asked = (await questionsOf(role)) - before;
    assert.deepEqual(
      statuses,
      statuses.map(() => UNDERSTOOD),
    );
    console.log(`${statuses.length} calls took ${asked} questions`);
    assert.ok(asked < QUESTIONS_MAX, `${asked} questions for ${statuses.length} calls`);
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { oppo: [PHONES, PHONES, PHONES] }));
  });

  test('wait for no other database than their own', async () => {
    said.length = 0;
    const taskId = await carillon.notify('all', { body: 'dong' }, { distribution_strategy: 'ospush_only' });
    await eventually(() => assert.equal(said.length, PHONES));
    const { shards } = carillon.truth;
    const slow = shards.all[0] as ShardDb;
    const ofSlow = said.filter((body) => shards.of(shardOf(body)) === slow);
    assert.ok(ofSlow.length > 0 && ofSlow.length < PHONES, `${ofSlow.length} of ${PHONES} wait: ${said[0]}`);
    const [held, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = inTransaction(slow, async (tx) => {
      await tx.query('lock table slice_targets in access exclusive mode');
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const answered: number[] = [];
    const telling = Promise.all(said.map(async (body) => answered.push(await tell(body))));
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

/** The shard in the reference that OPPO was given along. */
function shardOf(body: string): number {
  const reference = /\d+\.(\d+)\.\d+\.[\w-]{16}/.exec(body);
  return Number(reference?.[1]);
}
