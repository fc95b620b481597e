import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type PageServer, servePage } from '../../../examples/device-page/serve.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon, type TestUser } from '../../support/carillon.ts';
import { type Chromium, type Page, startChromium } from '../../support/chromium.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('example page in a browser', () => {
  const parts = new AsyncDisposableStack();
  let carillon: Carillon;
  let chromium: Chromium;
  let server: PageServer;
  let users = 0;

  before(async () => {
    const sdk = await mkdtemp(join(tmpdir(), 'carillon-page-'));
    parts.defer(() => rm(sdk, { recursive: true }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const build = [tsc, '--project', join(root, 'sdk/tsconfig.json'), '--outDir', sdk];
    await promisify(execFile)(process.execPath, build);
    carillon = parts.use(await startCarillon());
    const [api, gateway] = [carillon.apis[0] as RoleProcess, carillon.gateways[0] as RoleProcess];
    server = parts.use(await servePage({ api: api.apiUrl, gateway: gateway.webSocketUrl, sdk }));
    chromium = parts.use(await startChromium());
  });
  after(() => parts.disposeAsync());

  const somebody = () => carillon.createUser(`person-${++users}`);
  const textBecomes = (page: Page, selector: string, wanted: string | null) =>
    eventually(async () => assert.equal(await page.text(selector), wanted, page.errors.join('\n')));

  async function fillIn(page: Page, user: TestUser): Promise<void> {
    await eventually(async () => assert.ok(await page.text('#login')));
    await page.type('[name=app_id]', carillon.appId);
    await page.type('[name=login_name]', user.name);
    await page.type('[name=password]', user.password);
    await page.click('#login button');
  }

  async function logIn(page: Page, user: TestUser): Promise<void> {
    await fillIn(page, user);
    await textBecomes(page, '#state', 'Online');
  }

  test('displays a notification after login, and it is counted as received', async () => {
    const ada = await somebody();
    const page = await chromium.openPage(server.url);
    await logIn(page, ada);
    assert.equal(await page.text('#login'), null);
    assert.match((await page.text('#empty')) as string, /^Nothing yet/);

    const message = { title: 'Rehearsal at <b>eight</b>', body: 'Bring your own music stand.' };
    const taskId = await carillon.notify({ user_id: [ada.userId] }, message);
    await textBecomes(page, '#list li h3', message.title);
    assert.equal(await page.text('#list li p'), message.body);
    assert.equal(await page.text('#badge'), '1');
    assert.equal(await page.evaluate('document.title'), '(1) Demo app');
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));

    await page.click('#read');
    await textBecomes(page, '#badge', null);
    await page.click('#logout');
    await textBecomes(page, '#inbox', null);
    assert.ok(await page.text('#login'));
    assert.deepEqual(page.errors, []);
  });

  test('removes a notification that is recalled, also from its storage', async () => {
    const ada = await somebody();
    const page = await chromium.openPage(server.url);
    await logIn(page, ada);
    const wrong = await carillon.notify({ user_id: [ada.userId] }, { title: 'Wrong' });
    await textBecomes(page, '#list li h3', 'Wrong');
    await carillon.notify({ user_id: [ada.userId] }, { title: 'Right' });
    await textBecomes(page, '#list li:first-child h3', 'Right');
    await carillon.post('/push/task/cancel', { task_id: wrong, recall: true });
    await textBecomes(page, '#list li:last-child h3', 'Right');
    await page.goTo(server.url);
    await textBecomes(page, '#list li:last-child h3', 'Right');
    assert.deepEqual(page.errors, []);
  });

  test('stays signed in after a reload, as the same device, and receives waiting notifications', async () => {
    const ada = await somebody();
    const page = await chromium.openPage(server.url);
    await logIn(page, ada);
    const guid = () => page.evaluate<string>(`JSON.parse(localStorage['carillon.device']).device_guid`);
    const before = await guid();
    const first = await carillon.notify({ user_id: [ada.userId] }, { title: 'First' });
    await textBecomes(page, '#list li h3', 'First');
    await page.goTo('about:blank');
    const second = await carillon.notify({ user_id: [ada.userId] }, { title: 'Second' });
    await page.goTo(server.url);
    await textBecomes(page, '#list li:first-child h3', 'Second');
    assert.equal(await guid(), before);
    assert.equal(await page.evaluate(`document.querySelectorAll('#list li').length`), 2);
    for (const taskId of [first, second])
      await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));
    assert.deepEqual(page.errors, []);
  });

  test('reconnects after its gateway was killed and another one was started', async () => {
    const ada = await somebody();
    const page = await chromium.openPage(server.url);
    await logIn(page, ada);
    const gateway = carillon.gateways.at(-1) as RoleProcess;
    await gateway.kill();
    await textBecomes(page, '#state', 'Offline, reconnecting');
    const taskId = await carillon.notify({ user_id: [ada.userId] }, { title: 'Waits' });
    await carillon.start('gateway', { CARILLON_MQTT_WEBSOCKET_PORT: String(gateway.ports.webSocket) });
    await page.evaluate(`dispatchEvent(new Event('online'))`); // Browsers emit this event when the network is available again.
    await textBecomes(page, '#list li h3', 'Waits');
    await eventually(async () => assert.equal((await carillon.counters(taskId)).nativepush?.[2], 1));
  });

  test('a second tab takes over the device, and the first one can take it back', async () => {
    const ada = await somebody();
    const first = await chromium.openPage(server.url);
    await logIn(first, ada);
    const second = await chromium.openTab(server.url, first.browserContextId);
    await second.evaluate(`sessionStorage.session = ${JSON.stringify(await first.evaluate('sessionStorage.session'))}`);
    await second.reload();
    await textBecomes(second, '#state', 'Online');
    await eventually(async () => assert.match((await first.text('#notice')) as string, /another tab/));
    await first.click('#notice button');
    await textBecomes(first, '#state', 'Online');
    await textBecomes(first, '#notice', null);
    await eventually(async () => assert.match((await second.text('#notice')) as string, /another tab/));
  });

  test('asks a kicked user to sign in again', async () => {
    const ada = await somebody();
    const page = await chromium.openPage(server.url);
    await logIn(page, ada);
    await carillon.post('/admin/user/kick', { user_id: ada.userId });
    await textBecomes(page, '#notice', 'You were signed out. Please sign in again.');
    assert.ok(await page.text('#login'));
    await logIn(page, ada);
    assert.equal(await page.text('#notice'), null);
  });

  test('displays an error for a wrong password, and stays signed out', async () => {
    const ada = await somebody();
    const page = await chromium.openPage(server.url);
    await fillIn(page, { ...ada, password: 'wrong' });
    await eventually(async () => assert.match((await page.text('#notice')) as string, /refused|wrong/i));
    assert.equal(await page.text('#inbox'), null);
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
});
