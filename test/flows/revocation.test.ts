import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { revokeAdminToken, revokeUser, revokeUserToken } from '#src/truth/revocations.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { seedAdminToken } from '../../scripts/dev/seed.ts';
import { type Stack, startStack } from '../../scripts/stack/stack.ts';
import { type Carillon, type Login, startCarillon } from '../support/carillon.ts';
import { connectDevice, type TestDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { checkLaws } from '../support/laws.ts';
import { addPhone, addUser } from '../support/phone.ts';

/** What is revoked ends everywhere within this time. */
const SECONDS_MAX = 5;
/** Gateways look every two seconds: in this time each has looked at least once, the api's cache has aged. */
const LOOKED_MS = 3_500;

const TOKEN_INVALID = 10008;
const NOT_AUTHORISED = 0x87;

interface Phone extends AsyncDisposable {
  readonly login: Login;
  readonly device: TestDevice;
}

describe('what is revoked ends everywhere within five seconds', () => {
  let stack: Stack;
  let carillon: Carillon;
  let phones = 0;

  before(async () => {
    stack = await startStack();
    carillon = await startCarillon({ stack, apis: 2, gateways: 2, workers: 1 });
  });
  after(async () => {
    await carillon?.[Symbol.asyncDispose]();
    await stack?.stop();
  });

  const newUser = () => addUser(carillon.truth.home, carillon.appId);

  /** A connected phone, on the gateways in turn. Both API processes have just seen its token. */
  async function connectPhone(userId: bigint): Promise<Phone> {
    const { appId, truth } = carillon;
    const login = await addPhone(truth, { appId, userId, deviceGuid: `phone-${++phones}` });
    const gateway = carillon.gateways[phones % carillon.gateways.length] as RoleProcess;
    const device = await connectDevice(gateway, login, { protocolVersion: 5 });
    assert.deepEqual(await codesOf(login.token), [200, 200]);
    return { login, device, [Symbol.asyncDispose]: () => device[Symbol.asyncDispose]() };
  }

  /** What each API process answers to a call with this token. */
  const codesOf = (token: string) =>
    Promise.all(
      carillon.apis.map(
        async (api) => (await carillon.tryPost('/push/task/detail', { list: [1] }, { token, api })).code,
      ),
    );

  const end = async (ended: readonly Phone[], secondsMax: number) =>
    eventually(async () => {
      assert.deepEqual(
        ended.map(({ device }) => device.closes),
        ended.map(() => 1),
      );
      for (const { login } of ended) assert.deepEqual(await codesOf(login.token), [TOKEN_INVALID, TOKEN_INVALID]);
    }, secondsMax);

  async function stays({ device, login }: Phone): Promise<void> {
    assert.equal(device.closes, 0);
    assert.deepEqual(await codesOf(login.token), [200, 200]);
  }

  /** Three sessions of one user end; the neighbour's and the one that begins anew do not. */
  async function revokeOneOfTwoUsers(use?: (anew: Phone, userId: bigint) => Promise<void>): Promise<void> {
    const [userId, neighbourId] = [await newUser(), await newUser()];
    await using first = await connectPhone(userId);
    await using second = await connectPhone(userId);
    await using third = await connectPhone(userId);
    await using neighbour = await connectPhone(neighbourId);
    const reasons: unknown[] = [];
    for (const { device } of [first, second, third])
      device.client.on('disconnect', ({ reasonCode }) => reasons.push(reasonCode));

    const revokedAt = performance.now();
    await revokeUser(carillon.truth.home, carillon.appId, userId);
    await using anew = await connectPhone(userId);
    await end([first, second, third], SECONDS_MAX - (performance.now() - revokedAt) / 1_000);

    assert.deepEqual(reasons, [NOT_AUTHORISED, NOT_AUTHORISED, NOT_AUTHORISED]);
    for (const { login } of [first, second])
      await assert.rejects(
        connectDevice(carillon.gateways[0] as RoleProcess, login),
        'its token opens nothing any more',
      );
    // The revocation is still read for a while: this is to show that the new token is not taken for an old one.
    await sleep(LOOKED_MS);
    await stays(anew);
    await stays(neighbour);
    await use?.(anew, userId);
  }

  test("a user's sessions on two gateways and their tokens, but not the token they get afterwards", () =>
    revokeOneOfTwoUsers(async ({ device }, userId) => {
      const taskId = await carillon.notify({ user_id: [userId] }, { body: 'welcome back' });
      await eventually(() => assert.deepEqual(device.taskIds, [taskId.toString()]));
    }));

  test('the same while NATS is dead', async () => {
    await stack.kill('nats');
    try {
      await revokeOneOfTwoUsers();
    } finally {
      await stack.start('nats');
    }
  });

  test("one token and its session, and none of that user's others", async () => {
    const userId = await newUser();
    await using first = await connectPhone(userId);
    await using second = await connectPhone(userId);
    await using third = await connectPhone(userId);

    await revokeUserToken(carillon.truth.home, carillon.appId, second.login.token);

    await end([second], SECONDS_MAX);
    await sleep(LOOKED_MS); // the others would be closed late if they were
    await stays(first);
    await stays(third);
  });

  test('an admin token, and no other', async () => {
    const { home } = carillon.truth;
    const token = await seedAdminToken(home, carillon.appId);
    assert.deepEqual(await codesOf(token), [200, 200]);

    await revokeAdminToken(home, carillon.appId, token);

    await eventually(async () => assert.deepEqual(await codesOf(token), [TOKEN_INVALID, TOKEN_INVALID]), SECONDS_MAX);
    assert.deepEqual(await codesOf(carillon.adminToken), [200, 200]);
  });

  test('the laws hold', () => checkLaws(carillon.truth));
});
