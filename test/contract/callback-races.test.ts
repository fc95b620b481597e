import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Carillon, startCarillon } from '../support/carillon.ts';

/** Before these races were fixed, each test failed in the first round. */
const ROUNDS = 10;
const HUAWEI = 2;

interface CallbackAddress {
  readonly path: string;
  readonly signed: boolean;
}

describe('concurrent calls for one callback', () => {
  let carillon: Carillon;
  before(async () => {
    const settings = { CARILLON_SECRET_READS_PER_MINUTE: '100000' };
    carillon = await startCarillon({ apis: 2, gateways: 0, workers: 0, settings });
  });
  after(() => carillon[Symbol.asyncDispose]());

  /** Returns the responses of concurrent calls, which alternate between both API processes. */
  const ask = (...bodies: readonly object[]): Promise<CallbackAddress[]> =>
    Promise.all(
      bodies.map(async (body, i) => {
        const api = carillon.apis[i % 2];
        const named = { provider: HUAWEI, ...body };
        return (await carillon.post<CallbackAddress>('/admin/certificate/callback', named, api ? { api } : {})).data;
      }),
    );

  test('all concurrent first calls return the same path', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await carillon.storage.home.query('delete from callbacks');
      const answers = await ask({}, {}, {}, {}, {}, {}, {}, {});
      assert.equal(new Set(answers.map(({ path }) => path)).size, 1);
    }
  });

  test('a renewed path and a signing key are both kept when they are set concurrently', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await carillon.storage.home.query('delete from callbacks');
      await ask({});
      const [renewed] = await ask({ renew: true }, { user_name: 'carillon', key: `key ${round}` });
      assert.deepEqual(await ask({}), [{ path: renewed?.path, signed: true }]);
    }
  });
});
