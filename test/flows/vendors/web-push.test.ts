import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findTrippedBreakers } from '#src/storage/accounts/breakers.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type SimulatorsProcess, startSimulators } from '../../../scripts/dev/simulator-process.ts';
import type { Arrival } from '../../../simulators/webpush/arrival.ts';
import { serviceHosts, subscriptionOf } from '../../../simulators/webpush/subscriptions.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';

const PROVIDER = 10;
const BY_VENDOR = { distribution_strategy: 'ospush_only' };
const UNIFIED_PUSH = 'ntfy.example.com';

interface ReportedChannel {
  readonly channel: string;
  readonly target: number;
  readonly sent: number;
  readonly received: number;
  readonly clicked: number;
}

interface Certificate {
  readonly app_id: string;
  readonly app_key: string;
  readonly app_secret: string;
}

describe('Web Push', () => {
  const parts = new AsyncDisposableStack();
  let simulators: SimulatorsProcess;
  let carillon: Carillon;
  let ada: TestUser;

  before(async () => {
    simulators = parts.use(await startSimulators({ only: ['webpush'] }));
    const settings = {
      ...simulators.settings,
      CARILLON_WEBPUSH_HOSTS: UNIFIED_PUSH,
      CARILLON_BREAKER_PROBE_SECONDS: '1',
    };
    carillon = parts.use(await startCarillon({ gateways: 0, settings }));
    ada = await carillon.createUser('ada');
    await saveCertificate();
  });
  after(() => parts.disposeAsync());

  const saveCertificate = (body: object = {}) =>
    carillon.post<Certificate>('/admin/certificate/save', {
      provider: PROVIDER,
      name: 'Web Push',
      app_id: 'mailto:push@example.com',
      certificate: '{"navigate": "https://shop.example.com/"}',
      ...body,
    });

  async function readCertificate(token: string): Promise<Certificate> {
    const url = `${(carillon.apis[0] as RoleProcess).apiUrl}/push/certificate?provider=${PROVIDER}`;
    const response = await fetch(url, { headers: { app_id: carillon.appId, 'access-token': token } });
    return ((await response.json()) as { data: Certificate }).data;
  }

  let browsers = 0;
  const newBrowser = () => carillon.logIn(ada, `browser-${++browsers}`);
  const bind = ({ token }: Login, subscription: string) =>
    carillon.tryPost('/device/bind', { provider: PROVIDER, token: subscription }, { token });
  async function boundBrowser(prefix = 'live', host?: string): Promise<{ login: Login; name: string }> {
    const login = await newBrowser();
    const name = `${prefix}-browser-${browsers}`;
    assert.equal((await bind(login, subscriptionOf(name, host))).code, 200);
    return { login, name };
  }

  const notify = (logins: readonly Login[], message: object = { title: 'Ding', body: 'dong' }) =>
    carillon.notify({ push_token: logins.map(({ push_token }) => push_token) }, message, BY_VENDOR);
  async function arrived(name: string): Promise<readonly Arrival[]> {
    const response = await fetch(`${simulators.vendors.webpush?.control_url}/arrived?token=${name}`);
    return ((await response.json()) as { arrived: Arrival[] }).arrived;
  }
  const firstArrival = (name: string) =>
    eventually(async () => {
      const [arrival] = await arrived(name);
      assert.ok(arrival);
      return arrival;
    });
  async function reportOf(taskId: bigint): Promise<ReportedChannel | undefined> {
    const { data } = await carillon.post<{ channels: ReportedChannel[] }>('/push/task/report', { task_id: taskId });
    return data.channels.find(({ channel }) => channel === 'webpush');
  }
  const countsBecome = (taskId: bigint, expected: Partial<ReportedChannel>) =>
    eventually(async () => assert.partialDeepStrictEqual(await reportOf(taskId), expected));

  test('creates a key pair, which browsers get without its secret and which is kept when saved again', async () => {
    const { token } = await newBrowser();
    const complete = await readCertificate(carillon.adminToken);
    assert.match(complete.app_key, /^[\w-]{87}$/);
    assert.match(complete.app_secret, /^[\w-]{43}$/);
    assert.partialDeepStrictEqual(await readCertificate(token), { app_key: complete.app_key, app_secret: '' });
    const { data } = await saveCertificate({ app_id: 'https://example.com/contact' });
    assert.deepEqual([data.app_id, data.app_key], ['https://example.com/contact', complete.app_key]);
    assert.equal((await readCertificate(carillon.adminToken)).app_secret, complete.app_secret);
  });

  for (const [service, host] of [...Object.entries(serviceHosts), ['unifiedpush', UNIFIED_PUSH]] as const)
    test(`reaches a subscription of ${service}, and counts what the service worker reports`, async () => {
      const { login, name } = await boundBrowser('live', host);
      const taskId = await notify([login], { title: 'Ding', body: 'dong', webpush: { urgency: 'normal' } });
      const { payload, ...arrival } = await firstArrival(name);
      assert.partialDeepStrictEqual(arrival, { service, host, topic: `${taskId}`, urgency: 'normal' });
      assert.equal(arrival.is_declarative, true);
      const { data, ...shown } = payload.notification as { data: { mid: string; reference: string } };
      assert.deepEqual(shown, {
        title: 'Ding',
        body: 'dong',
        navigate: 'https://shop.example.com/',
        tag: `${taskId}`,
        app_badge: 1,
      });
      await countsBecome(taskId, { target: 1, sent: 1, received: 0, clicked: 0 });
      const report = (event: string) =>
        carillon.post('/device/receipt', { list: [data.reference], event }, { token: login.token });
      await report('received');
      await countsBecome(taskId, { received: 1, clicked: 0 });
      for (let i = 0; i < 2; i++) await report('clicked');
      await countsBecome(taskId, { target: 1, sent: 1, received: 1, clicked: 1 });
    });

  test('counts the badge of each subscription', async () => {
    const { login, name } = await boundBrowser();
    for (const badge of ['+1', '+2', '7']) {
      const taskId = await notify([login], { title: 'Ding', badge });
      await countsBecome(taskId, { sent: 1 });
    }
    const badges = (await arrived(name)).map(
      ({ payload }) => (payload.notification as { app_badge: number }).app_badge,
    );
    assert.deepEqual(badges, [1, 3, 7]);
  });

  test('ends the binding of a dead subscription, and keeps the others', async () => {
    const [dead, live] = [await boundBrowser('dead'), await boundBrowser()];
    await countsBecome(await notify([dead.login, live.login]), { target: 2, sent: 1 });
    const second = await notify([dead.login]);
    await waitUntilFinished(carillon.storage, second);
    assert.equal(await reportOf(second), undefined, 'the device has no channel any more');
  });

  test('a subscription belongs to the device that bound its URL last, and its newest keys are used', async () => {
    const [first, second] = [await newBrowser(), await newBrowser()];
    const name = `live-shared-${browsers}`;
    const current = JSON.parse(subscriptionOf(name)) as { keys: { auth: string } };
    const outdated = { ...current, keys: { ...current.keys, auth: Buffer.alloc(16, 1).toString('base64url') } };
    for (const [login, subscription] of [
      [first, current],
      [second, outdated],
      [second, current],
    ] as const)
      assert.equal((await bind(login, JSON.stringify(subscription))).code, 200);
    const taskId = await notify([first, second]);
    await waitUntilFinished(carillon.storage, taskId);
    assert.partialDeepStrictEqual(await reportOf(taskId), { target: 1, sent: 1 });
    assert.equal((await arrived(name)).length, 1);
  });

  test('rejects subscriptions whose URL is not that of a push service', async () => {
    const login = await newBrowser();
    for (const endpoint of [
      'http://fcm.googleapis.com/x',
      'https://fcm.googleapis.com:8443/x',
      'https://ada:secret@fcm.googleapis.com/x',
      'https://fcm.googleapis.com/x#y',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/x',
      'https://localhost/x',
      'https://internal.example.com/x',
    ]) {
      const { code, message } = await bind(login, JSON.stringify({ ...JSON.parse(subscriptionOf('x')), endpoint }));
      assert.equal(code, 10002, endpoint);
      assert.match(String(message), /token must be the JSON of a push subscription: /);
    }
  });

  test('sends no data-only messages', async () => {
    const { login, name } = await boundBrowser();
    const taskId = await notify([login], { type: 'cmd', ext: { sync: true } });
    await waitUntilFinished(carillon.storage, taskId);
    assert.deepEqual(await arrived(name), []);
  });

  test('pauses the channel if Apple rejects the VAPID token, and resumes when it accepts the token', async () => {
    const { login } = await boundBrowser();
    const faults = `${simulators.vendors.webpush?.control_url}/faults`;
    const fault = { kind: 'wrong-credentials', duration_ms: 60_000 };
    await fetch(faults, { method: 'POST', body: JSON.stringify(fault) });
    const taskId = await notify([login]);
    const breaker = async () => (await findTrippedBreakers(carillon.storage.home, carillon.appId))[0];
    await eventually(async () => {
      const tripped = await breaker();
      assert.equal(tripped?.cause, 'locked-out');
      assert.match(tripped?.reason ?? '', /BadJwtToken: check that app_id is a mailto: or https: URL/);
    });
    await fetch(faults, { method: 'DELETE' });
    await countsBecome(taskId, { sent: 1 });
    await eventually(async () => assert.equal(await breaker(), undefined));
  });

  test('logs neither the endpoint nor the keys', () => {
    const secrets = [/updates\.push\.services\.mozilla\.com\/wpush/, /fcm\/send\/live/, /p256dh/];
    for (const line of carillon.logLines) for (const secret of secrets) assert.doesNotMatch(line, secret);
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
});
