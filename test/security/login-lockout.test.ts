import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Carillon, startCarillon, type TestUser } from '../support/carillon.ts';
import { OperatorBrowser, seedOperator, signedIn } from '../support/operator.ts';

const FAILURES = 5;
const LOGIN_REFUSED = 10013;
const TOO_MANY_LOGINS = 10014;
const LOGINS_PER_HOUR = 8;

describe('someone else tries wrong passwords for a user', () => {
  let carillon: Carillon;
  let users = 0;

  before(async () => {
    const settings = {
      CARILLON_LOGIN_FAILURES_PER_ADDRESS: '100000',
      CARILLON_LOGINS_PER_USER_PER_HOUR: `${LOGINS_PER_HOUR}`,
    };
    carillon = await startCarillon({ gateways: 0, workers: 0, settings });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const newUser = () => carillon.createUser(`user-${++users}`);
  const logIn = (body: object) => carillon.tryPost('/token/user', body, { token: null });
  const withPassword = ({ name, password }: TestUser, deviceGuid?: string) =>
    logIn({ name, password, device_guid: deviceGuid });

  /** Makes more attempts than a name has without a delay. Returns a response that asks the caller to wait. */
  async function attack(name: string, deviceGuid?: string) {
    const attempts = Array.from({ length: FAILURES + 1 }, (_, i) =>
      logIn({ name, password: `wrong-${i}`, device_guid: deviceGuid }),
    );
    const responses = await Promise.all(attempts);
    const codes = responses.map(({ code }) => code).sort((a, b) => a - b);
    assert.deepEqual(codes, [...new Array(FAILURES).fill(LOGIN_REFUSED), TOO_MANY_LOGINS]);
    return responses.find(({ code }) => code === TOO_MANY_LOGINS) as (typeof responses)[number];
  }

  /** Changes the last attempt of every login name as if it had been earlier. */
  const letTimePass = (seconds: number) =>
    carillon.storage.home.query(`update limit_points set until = until - $1 * interval '1 s'`, [seconds]);

  test('the user can still log in on a device that was used before', async () => {
    const user = await newUser();
    assert.equal((await withPassword(user, 'own-phone')).code, 200);
    await attack(user.name);
    assert.equal((await withPassword(user, 'other-phone')).code, TOO_MANY_LOGINS);
    assert.equal((await withPassword(user, 'own-phone')).code, 200);
  });

  test('an operator can still sign in with a browser that was used before', async () => {
    const email = 'ada@example.com';
    await seedOperator(carillon.storage.home, email);
    const apiUrl = carillon.apis[0]?.apiUrl as string;
    const ownBrowser = await signedIn(apiUrl, email);
    const other = new OperatorBrowser(apiUrl);
    const attackWith = async (browser: OperatorBrowser) => {
      const codes = [];
      for (let i = 0; i <= FAILURES; i++) codes.push((await browser.signIn(email, `wrong-${i}`)).code);
      assert.deepEqual(codes, [...new Array(FAILURES).fill(LOGIN_REFUSED), TOO_MANY_LOGINS]);
    };
    await attackWith(other);
    assert.equal((await other.signIn(email)).code, TOO_MANY_LOGINS);
    assert.equal((await ownBrowser.signIn(email)).code, 200);
    await attackWith(ownBrowser);
    assert.equal((await ownBrowser.signIn(email)).code, TOO_MANY_LOGINS, 'a known browser has a limit, too');
  });

  test('a known device does not allow unlimited attempts', async () => {
    const user = await newUser();
    assert.equal((await withPassword(user, 'phone-of-user')).code, 200);
    await attack(user.name);
    await attack(user.name, 'phone-of-user');
  });

  test('the delays grow, and end', async () => {
    const user = await newUser();
    const retryAfterOf = async () => (await logIn({ name: user.name, password: 'wrong' })).headers.get('retry-after');
    assert.match((await attack(user.name)).headers.get('retry-after') ?? '', /^[1-6]$/);
    await letTimePass(5);
    assert.equal((await logIn({ name: user.name, password: 'wrong' })).code, LOGIN_REFUSED);
    await letTimePass(4);
    assert.match((await retryAfterOf()) ?? '', /^[1-6]$/);
    await letTimePass(6);
    assert.equal((await withPassword(user)).code, 200);
  });

  test('no limit reveals whether a name exists, or which names belong to the same user', async () => {
    const user = await newUser();
    const [known, unknown] = [await attack(user.name), await attack('unknown-name')];
    for (const header of ['ratelimit-limit', 'ratelimit-remaining'])
      assert.equal(known.headers.get(header), unknown.headers.get(header), header);
    // A busy machine can take seconds for the attempts, so these times can differ a little.
    for (const header of ['ratelimit-reset', 'retry-after'])
      for (const { headers } of [known, unknown]) assert.match(headers.get(header) ?? '', /^[1-6]$/, header);
    assert.deepEqual([known.code, known.message], [unknown.code, unknown.message]);
    const byId = (user_id: bigint) => carillon.tryPost('/token/id', { user_id, password: 'wrong' }, { token: null });
    assert.equal((await byId(user.userId)).code, LOGIN_REFUSED);
    assert.equal((await byId(987_654_321n)).code, LOGIN_REFUSED);
  });

  test('successful logins are limited too', async () => {
    const user = await newUser();
    for (let i = 0; i < LOGINS_PER_HOUR; i++) assert.equal((await withPassword(user)).code, 200);
    assert.equal((await withPassword(user)).code, TOO_MANY_LOGINS);
  });
});
