import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { servePage } from '../../../examples/device-page/serve.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type SimulatorsProcess, startSimulators } from '../../../scripts/dev/simulator-process.ts';
import type { Arrival } from '../../../simulators/webpush/arrival.ts';
import { subscriptionOf } from '../../../simulators/webpush/subscriptions.ts';
import { type Carillon, startCarillon, type TestUser } from '../../support/carillon.ts';
import { type Page, startChromium } from '../../support/chromium.ts';
import { eventually } from '../../support/eventually.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const WEB_PUSH = { provider: 10 };

/**
 * Chromium's push service belongs to Google, so a test cannot subscribe. The device is bound to a subscription of the
 * simulator, which decrypts the message. The DevTools protocol then delivers the decrypted message to the service
 * worker, as the push service of Chromium does.
 */
describe('service worker of the example page', () => {
  const parts = new AsyncDisposableStack();
  let simulators: SimulatorsProcess;
  let carillon: Carillon;
  let page: Page;
  let origin: string;
  let ada: TestUser;

  before(async () => {
    const sdk = await mkdtemp(join(tmpdir(), 'carillon-worker-'));
    parts.defer(() => rm(sdk, { recursive: true }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const build = [tsc, '--project', join(root, 'sdk/tsconfig.json'), '--outDir', sdk];
    await promisify(execFile)(process.execPath, build);
    simulators = parts.use(await startSimulators({ only: ['webpush'] }));
    carillon = parts.use(await startCarillon({ settings: simulators.settings }));
    await carillon.post('/admin/certificate/save', {
      ...WEB_PUSH,
      name: 'Web Push',
      app_id: 'mailto:push@example.com',
    });
    const [api, gateway] = [carillon.apis[0] as RoleProcess, carillon.gateways[0] as RoleProcess];
    const server = parts.use(await servePage({ api: api.apiUrl, gateway: gateway.webSocketUrl, sdk }));
    origin = new URL(server.url).origin;
    const chromium = parts.use(await startChromium());
    page = await chromium.openPage(server.url);
    const { browserContextId } = page;
    await chromium.send('Browser.grantPermissions', { origin, browserContextId, permissions: ['notifications'] });
    ada = await carillon.createUser('ada');
    await logIn();
  });
  after(() => parts.disposeAsync());

  async function logIn(): Promise<void> {
    await eventually(async () => assert.ok(await page.text('#login')));
    await page.type('[name=app_id]', carillon.appId);
    await page.type('[name=login_name]', ada.name);
    await page.type('[name=password]', ada.password);
    await page.click('#login button');
    await eventually(async () => assert.equal(await page.text('#state'), 'Online', page.errors.join('\n')));
  }

  const session = `JSON.parse(sessionStorage.getItem('session'))`;
  const options = `{ api: new URL('api', location.href).href, appId: ${session}.app_id, token: ${session}.credentials.token }`;

  async function startWorker(): Promise<void> {
    await page.evaluate(`import('./web-push.js').then((webPush) => webPush.startWorker(${options})).then(() => true)`);
  }

  /** Sends a notification over Web Push, and returns the message that the simulator decrypted. */
  async function sendByWebPush(message: object): Promise<{ taskId: bigint; payload: object }> {
    const token = await page.evaluate<string>(`${session}.credentials.token`);
    const name = `live-chromium-${Date.now()}`;
    await carillon.post('/device/bind', { ...WEB_PUSH, token: subscriptionOf(name) }, { token });
    const setting = { distribution_strategy: 'ospush_only' };
    const taskId = await carillon.notify({ user_id: [ada.userId] }, message, setting);
    const payload = await eventually(async () => {
      const response = await fetch(`${simulators.vendors.webpush?.control_url}/arrived?token=${name}`);
      const { arrived } = (await response.json()) as { arrived: Arrival[] };
      assert.equal(arrived.length, 1);
      return (arrived[0] as Arrival).payload;
    });
    return { taskId, payload };
  }

  /** Delivers a push. Chromium drops it if the service worker is being replaced, so callers repeat it. */
  async function deliver(payload: object): Promise<void> {
    const registrationId = await eventually(async () => {
      const id = page.serviceWorkers.get(`${origin}/`);
      assert.ok(id !== undefined);
      return id;
    });
    await page.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) });
  }

  const shown = () =>
    page.evaluate<{ title: string; body: string; tag: string; data: { navigate: string; reference: string } }[]>(
      `navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then((list) =>
         list.map(({ title, body, tag, data }) => ({ title, body, tag, data })))`,
    );

  async function reportOf(taskId: bigint): Promise<{ received: number; clicked: number } | undefined> {
    type Channels = { channels: { channel: string; received: number; clicked: number }[] };
    const { data } = await carillon.post<Channels>('/push/task/report', { task_id: taskId });
    return data.channels.find(({ channel }) => channel === 'webpush');
  }
  const reportBecomes = (taskId: bigint, received: number, clicked: number) =>
    eventually(async () => assert.partialDeepStrictEqual(await reportOf(taskId), { received, clicked }));

  test('displays a push and reports it as received, and reports a click', async () => {
    await startWorker();
    const message = { title: 'Rehearsal', body: 'At eight', webpush: { navigate: `https://shop.example.com/tower` } };
    const { taskId, payload } = await sendByWebPush(message);
    assert.deepEqual(await shown(), []);
    await eventually(async () => {
      await deliver(payload);
      const [notification, ...others] = await shown();
      assert.partialDeepStrictEqual(notification, { title: 'Rehearsal', body: 'At eight', tag: `${taskId}` });
      assert.deepEqual(others, []);
    });
    await reportBecomes(taskId, 1, 0);
    await deliver(payload);
    await eventually(async () => assert.equal((await shown()).length, 1, 'a duplicate replaces the notification'));

    // Headless Chromium has no notification center, so the event is dispatched in the service worker.
    await page.evaluateInServiceWorker(`self.registration.getNotifications().then(([notification]) => {
      self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
    })`);
    await reportBecomes(taskId, 1, 1);
    await eventually(async () => assert.deepEqual(await shown(), []));
  });

  test('displays a push that it cannot parse, because a push that displays nothing ends the subscription', async () => {
    await startWorker();
    await eventually(async () => {
      await deliver([]);
      const titles = new Set((await shown()).map(({ title }) => title));
      assert.deepEqual([...titles], ['Notification']);
    });
  });

  test('cannot subscribe without the push service of Chromium, and the page displays the error', async () => {
    await page.evaluate(`document.getElementById('push').hidden = false`);
    await page.click('#push');
    await eventually(async () =>
      assert.match((await page.text('#notice')) ?? '', /push service|permission|Registration/i),
    );
  });

  test('loses the access token when the user signs out', async () => {
    assert.equal(await page.evaluate(`caches.has('session')`), true);
    await page.click('#logout');
    await eventually(async () => assert.equal(await page.evaluate(`caches.has('session')`), false));
  });
});
