import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon, type TestUser } from '../support/carillon.ts';
import { connectDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';

const FLOOD_CALLS = 100;
const CALLS_AT_A_TIME = 20;
/** The limit of lines per event and address, and the lines of the test before it. */
const LINES_MAX = 5;

interface SecurityEvent {
  readonly level: string;
  readonly stream?: string;
  readonly event: string;
  readonly role: string;
  readonly [field: string]: unknown;
}

const canary = (name: string) => `canary-${name}-${randomBytes(6).toString('hex')}`;

describe('security events', () => {
  let carillon: Carillon;
  let ada: TestUser;

  before(async () => {
    carillon = await startCarillon({
      workers: 0,
      settings: {
        CARILLON_LOGIN_FAILURES_PER_NAME: '1000000',
        CARILLON_LOGIN_FAILURES_PER_ADDRESS: '1000000',
        CARILLON_SECRET_READS_PER_MINUTE: '1',
        CARILLON_API_TRUSTED_PROXIES: '127.0.0.1',
      },
    });
    ada = await carillon.createUser('ada');
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Every test uses another address, because the events of each address are limited. */
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const eventsFrom = (address: string): SecurityEvent[] =>
    carillon.logLines
      .filter((line) => line.includes('"stream":"security"'))
      .map((line) => JSON.parse(line) as SecurityEvent)
      .filter((event) => event.address === address);
  const eventFrom = (address: string) =>
    eventually(() => {
      const [event] = eventsFrom(address);
      assert.ok(event, `no event of ${address}`);
      return event;
    });

  test('a flood of failed logins from one address writes few lines and no secret', async () => {
    const password = canary('password');
    const typedIntoTheName = canary('name');
    const bodies = [
      ['/token/id', { user_id: ada.userId, password }],
      ['/token/login', { login_name: typedIntoTheName, password }],
      ['/token/user', { name: typedIntoTheName, password, device_guid: canary('device') }],
    ] as const;
    let started = 0;
    const caller = async () => {
      while (started < FLOOD_CALLS) {
        const [path, body] = bodies[started++ % bodies.length] as (typeof bodies)[number];
        const { code } = await carillon.tryPost(path, body, { token: null, headers: from('198.51.100.1') });
        assert.equal(code, 10013);
      }
    };
    await Promise.all(Array.from({ length: CALLS_AT_A_TIME }, caller));
    // An event of another address follows the flood in the same log.
    await carillon.tryPost('/token/id', bodies[0][1], { token: null, headers: from('198.51.100.2') });
    const event = await eventFrom('198.51.100.2');
    assert.partialDeepStrictEqual(event, {
      event: 'login-failed',
      stream: 'security',
      level: 'info',
      role: 'api',
      appId: carillon.appId,
      userId: Number(ada.userId),
    });
    const lines = eventsFrom('198.51.100.1');
    assert.equal(lines.length, LINES_MAX);
    assert.ok(lines.every((line) => line.event === 'login-failed'));
    const text = carillon.logLines.join('\n');
    for (const secret of [password, typedIntoTheName, 'canary']) assert.ok(!text.includes(secret), secret);
  });

  const calls: Record<string, { event: object; call: (headers: Record<string, string>) => Promise<unknown> }> = {
    'an unknown token': {
      event: { event: 'token-rejected', problem: 'token-invalid', operation: '/push/notify' },
      call: (headers) => carillon.tryPost('/push/notify', {}, { token: canary('token'), headers }),
    },
    'a token without the scope': {
      event: { event: 'permission-denied', operation: '/admin/audit/verify', tokenId: 1, appId: 'bells' },
      call: (headers) => carillon.tryPost('/admin/audit/verify', {}, { headers }),
    },
    'a user token that sets group_id': {
      event: { event: 'permission-denied', operation: '/push/task/list' },
      call: async (headers) => {
        const { token } = await carillon.logIn(ada, 'phone');
        return carillon.tryPost('/push/task/list', {}, { token, headers: { ...headers, group_id: '1' } });
      },
    },
    'an app that does not exist': {
      event: { event: 'app-unknown' },
      call: (headers) => carillon.tryPost('/push/notify', {}, { headers: { ...headers, app_id: canary('app') } }),
    },
    'an exceeded limit': {
      event: { event: 'limit-exceeded', operation: '/push/certificate', tokenId: 1 },
      call: async (headers) => {
        const url = `${carillon.apis[0]?.apiUrl}/push/certificate?provider=1`;
        const { appId: app_id, adminToken } = carillon;
        for (let i = 0; i < 2; i++) await fetch(url, { headers: { app_id, 'access-token': adminToken, ...headers } });
      },
    },
    'a revoked admin token': {
      event: { event: 'access-revoked', operation: '/admin/token/revoke', tokenId: 1 },
      call: async (headers) => {
        const body = { name: 'stolen', scopes: ['push'] };
        const { data } = await carillon.post<{ token_id: number }>('/admin/token/create', body);
        await carillon.post('/admin/token/revoke', { token_id: data.token_id }, { headers });
      },
    },
    'a user who is logged out by an admin': {
      event: { event: 'access-revoked', operation: '/admin/user/kick', tokenId: 1 },
      call: (headers) => carillon.post('/admin/user/kick', { user_id: ada.userId }, { headers }),
    },
  };
  for (const [i, [name, { event, call }]] of Object.entries(calls).entries())
    test(`${name} is an event with the address, and without secrets`, async () => {
      const address = `203.0.113.${i + 1}`;
      await call(from(address));
      assert.partialDeepStrictEqual(await eventFrom(address), { ...event, stream: 'security', role: 'api' });
      const text = carillon.logLines.join('\n');
      for (const secret of ['canary', carillon.adminToken, 'ada-password']) assert.ok(!text.includes(secret), secret);
    });

  test('a device with wrong credentials is an event of the gateway', async () => {
    const login = await carillon.logIn(ada, 'her-phone');
    const gateway = carillon.gateways[0] as RoleProcess;
    await assert.rejects(connectDevice(gateway, { ...login, deviceGuid: canary('guid') }));
    const event = await eventFrom('127.0.0.1');
    const expected = { event: 'connect-rejected', problem: 'bad-credentials', reason: 'client-id', role: 'gateway' };
    assert.partialDeepStrictEqual(event, { ...expected, appId: carillon.appId });
    const text = carillon.logLines.join('\n');
    for (const secret of ['canary', login.token, login.push_token]) assert.ok(!text.includes(secret), secret);
  });
});
