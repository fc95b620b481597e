import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { connectSwarmDevice } from '../../support/device-swarm.ts';
import { eventually } from '../../support/eventually.ts';

const BAD_CREDENTIALS = 0x86;

describe('a rejected MQTT 5 client', () => {
  let carillon: Carillon;
  let login: Login;
  before(async () => {
    carillon = await startCarillon({ gateways: 1, workers: 0 });
    login = await carillon.logIn(await carillon.createUser('ada'), 'her-phone');
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const rejects = async (changes: Partial<Login>, text: RegExp | undefined, reason: string) => {
    const port = carillon.gateways[0]?.ports.gateway as number;
    using device = await connectSwarmDevice(port, { ...login, ...changes });
    assert.equal(device.connack, BAD_CREDENTIALS);
    if (text) assert.match(String(device.connackText), text);
    else assert.equal(device.connackText, undefined);
    await eventually(() =>
      assert.ok(
        carillon.logLines.some((line) => line.includes('"connect-rejected"') && line.includes(`"reason":"${reason}"`)),
      ),
    );
    for (const secret of [login.token, login.push_token])
      assert.ok(!carillon.logLines.some((line) => line.includes(secret)));
  };

  test('with a wrong client id receives the reason', () =>
    rejects({ deviceGuid: 'another-phone' }, /^Client id or user name does not match/, 'device'));

  test('with a wrong access token receives no reason', () => rejects({ token: 'cu_wrong' }, undefined, 'token'));

  test('with a user name that is not a push token receives no reason', () =>
    rejects({ push_token: 'ada' }, undefined, 'user-name'));

  test('with an expired access token receives the reason', async () => {
    await carillon.storage.home.query(`update user_tokens set expires_at = now() - interval '1 second'`);
    await rejects({}, /^Access token has expired\. Log in again\.$/, 'expired');
  });
});
