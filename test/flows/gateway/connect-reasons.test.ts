import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { connectSwarmDevice } from '../../support/device-swarm.ts';
import { eventually } from '../../support/eventually.ts';

const BAD_CREDENTIALS = 0x86;

describe('a rejected MQTT 5 client', () => {
  let carillon: Carillon;
  let login: Login;
  let addresses = 1;
  before(async () => {
    carillon = await startCarillon({ gateways: 1, workers: 0 });
    login = await carillon.logIn(await carillon.createUser('ada'), 'her-phone');
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const rejects = async (changes: Partial<Login>, text: RegExp | undefined, reason: string) => {
    const port = carillon.gateways[0]?.ports.gateway as number;
    // The number of log lines per address is limited.
    using device = await connectSwarmDevice(port, { ...login, ...changes }, { from: `127.0.0.${++addresses}` });
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
    rejects({ deviceGuid: 'another-phone' }, /^Client id does not match/, 'client-id'));

  test('with the push token of another device receives the reason', async () => {
    const { push_token } = await carillon.logIn(await carillon.createUser('bo'), 'his-phone');
    await rejects({ push_token }, /^User name does not match/, 'user-name');
  });

  test('with a wrong access token receives no reason', () => rejects({ token: 'cu_wrong' }, undefined, 'token'));

  test('with a user name that is not a push token receives no reason', () =>
    rejects({ push_token: 'ada' }, undefined, 'user-name'));

  test('of a disabled user or app receives the reason', async () => {
    for (const table of ['users', 'apps']) {
      await carillon.storage.home.query(`update ${table} set disabled_at = now()`);
      await rejects({}, /^User or app is disabled\.$/, 'disabled');
      await carillon.storage.home.query(`update ${table} set disabled_at = null`);
    }
  });

  test('whose login has ended receives the reason', async () => {
    const generation = (step: number) =>
      carillon.storage.home.query('update user_tokens set generation = generation + $1', [step]);
    await generation(1);
    await rejects({}, /^Login of this device has ended\. Log in again\.$/, 'login');
    await generation(-1);
  });

  test('with an expired access token receives the reason', async () => {
    await carillon.storage.home.query(`update user_tokens set expires_at = now() - interval '1 second'`);
    await rejects({}, /^Access token has expired\. Log in again\.$/, 'expired');
  });
});
