import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { androidVendors } from '#src/domain/channel.ts';
import { addUser, addUserToken } from '../support/add-device.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';

const PER_MINUTE = 20;
const TOO_MANY_REQUESTS = 12029;
const TOO_LARGE = 12009;

describe('one user who makes many requests', () => {
  let carillon: Carillon;

  before(async () => {
    const settings = { CARILLON_USER_REQUESTS_PER_MINUTE: `${PER_MINUTE}` };
    carillon = await startCarillon({ gateways: 0, workers: 0, settings });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  async function newUserToken(): Promise<string> {
    const { appId, storage } = carillon;
    return addUserToken(storage.home, { appId, userId: await addUser(storage.home, appId) });
  }

  test('gets an error with the time to wait, and other users and admins are not affected', async () => {
    const [flooding, other] = [await newUserToken(), await newUserToken()];
    const list = (token: string) => carillon.tryPost('/push/task/detail', { list: [1] }, { token });
    for (let i = 0; i < PER_MINUTE; i++) assert.equal((await list(flooding)).code, 200);
    const refused = await list(flooding);
    assert.equal(refused.code, TOO_MANY_REQUESTS);
    const retryAfter = Number(refused.headers.get('retry-after'));
    assert.ok(retryAfter > 0 && retryAfter <= 60, `${retryAfter}`);
    assert.equal((await list(other)).code, 200);
    for (let i = 0; i < 2 * PER_MINUTE; i++) assert.equal((await list(carillon.adminToken)).code, 200);
  });

  test('cannot store a message of more than 64 KiB', async () => {
    const ofVendor = { sound: '音'.repeat(1_024), channel_id: '道'.repeat(1_024) };
    const vendors = Object.fromEntries(['android', ...androidVendors].map((vendor) => [vendor, ofVendor]));
    const send = (body: string) =>
      carillon.tryPost('/push/notify', { audience: 'all', message: { body, big_text: body, ...vendors } });
    assert.equal((await send('文'.repeat(4_096))).code, TOO_LARGE);
    assert.equal((await send('text')).code, 200);
  });
});
