import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { needsTwoShards, outageModes, type ShardOutage, startWithProxiedShard } from '../support/shard-outage.ts';

const LOGINS = 3;
/** A login hashes a password, which takes most of this time on a busy machine. No call waits for the database. */
const REJECTED_MS_MAX = 1_000;

describe('logins and starts of roles during the outage of a shard database', needsTwoShards, () => {
  let outage: ShardOutage;

  before(async () => {
    outage = await startWithProxiedShard();
  });
  after(() => outage?.[Symbol.asyncDispose]());
  afterEach(() => outage.recover());

  for (const mode of outageModes) {
    test(`a login with a device in an available database succeeds (${mode})`, async () => {
      const { carillon } = outage;
      const user = await carillon.createUser(`ada-${mode}`);
      await carillon.logIn(user, outage.newGuid('available'));
      const credentials = { user_id: user.userId, password: user.password };
      outage.fail(mode);
      const began = performance.now();
      const responses: { status: number; code: number; message: string | null }[] = [];
      for (let i = 0; i < LOGINS; i++) {
        const body = { ...credentials, device_guid: outage.newGuid('available') };
        const { status, code, message } = await carillon.tryPost('/token/id', body, { token: null });
        responses.push({ status, code, message });
      }
      const withoutDevice = await carillon.tryPost('/token/id', credentials, { token: null });
      const msEach = (performance.now() - began) / (LOGINS + 1);
      const [tokens] = await carillon.storage.home.query<{ count: bigint }>(
        'select count(*) from user_tokens where user_id = $1',
        [user.userId],
      );
      console.log(`  ${mode}: ${JSON.stringify(responses)}, without a device ${withoutDevice.status}`);
      console.log(`  ${msEach.toFixed(0)} ms for each login; the user has ${tokens?.count} tokens`);
      assert.deepEqual(
        responses.filter(({ status, code }) => status !== 200 || code !== 200),
        [],
      );
    });

    test(`a login with a device in the failed database is rejected immediately, and leaves no token (${mode})`, async () => {
      const { carillon } = outage;
      const user = await carillon.createUser(`eve-${mode}`);
      const logIn = async () => {
        const body = { user_id: user.userId, password: user.password, device_guid: outage.newGuid('proxied') };
        const began = performance.now();
        const { status, code } = await carillon.tryPost('/token/id', body, { token: null });
        return { status, code, ms: performance.now() - began };
      };
      outage.fail(mode);
      const first = await logIn(); // The process detects the outage.
      const later = [await logIn(), await logIn(), await logIn()];
      console.log(`  ${mode}: ${[first, ...later].map(({ ms }) => ms.toFixed(0)).join(', ')} ms`);
      for (const { status, code } of [first, ...later]) assert.deepEqual([status, code], [503, 50_003]);
      for (const { ms } of later) assert.ok(ms <= REJECTED_MS_MAX, `a login was rejected after ${ms.toFixed(0)} ms`);
      const tokens = await carillon.storage.home.query('select from user_tokens where user_id = $1', [user.userId]);
      assert.equal(tokens.length, 0);
    });

    test(`every role can start (${mode})`, async () => {
      const { carillon, settings } = outage;
      outage.fail(mode);
      const failed: string[] = [];
      for (const role of ['gateway', 'api', 'worker'] as const) {
        const began = performance.now();
        const started = await carillon.start(role, settings).catch((error: Error) => error);
        const result = started instanceof Error ? started.message.slice(0, 300) : 'started';
        console.log(`  ${mode}, ${role}: ${result} (${(performance.now() - began).toFixed(0)} ms)`);
        if (started instanceof Error) failed.push(role);
        else {
          await started.stop();
          const processes = { api: carillon.apis, gateway: carillon.gateways, worker: carillon.workers }[role];
          processes.splice(processes.indexOf(started), 1);
        }
      }
      assert.deepEqual(failed, []);
    });
  }
});
