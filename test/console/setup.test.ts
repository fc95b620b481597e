import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { completeDailyCounts } from '../../scripts/dev/history/daily-counts.ts';
import type { Demo } from '../../scripts/dev/show-demo.ts';
import { Carillon } from '../../sdk/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { checkPage, clientOf, createOperator, openAs, type Stage, startConsole, urlOf } from './start-console.ts';

const FCM = 7;

describe('setup in the console', () => {
  const resources = new AsyncDisposableStack();
  let demo: Demo;
  let stage: Stage;
  let page: Page;
  let errors: string[];
  let api: Carillon;

  before(async () => {
    stage = await startConsole(resources);
    ({ demo } = stage);
    api = clientOf(stage, demo.app_id);
    [page, errors] = await openAs(stage, demo.operator, 'app/demo/credentials');
  });
  after(() => resources.disposeAsync());

  const open = (address: string) => page.goto(urlOf(stage, address));
  const fcmVersion = async () =>
    (await api.admin.certificate.list()).find(({ provider, environment }) => provider === FCM && environment === 1)
      ?.version as number;

  test('explains a wrong file, then saves the right one and checks it', async () => {
    const { certificate } = await api.push.certificate({ provider: FCM });
    const version = await fcmVersion();
    await page.getByRole('button', { name: 'Add credentials' }).click();
    await page.getByRole('menuitem', { name: 'FCM' }).click();
    await page.getByRole('heading', { name: 'FCM: credentials', level: 1 }).waitFor();
    const drop = (name: string, text: string) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
    await drop('google-services.json', JSON.stringify({ project_info: {}, client: [] }));
    await page.getByRole('alert').getByText('which is only for building the app').waitFor();
    assert.equal(await page.getByLabel('Contents of the service account file').inputValue(), '');

    // The file of another project has the right form, but the vendor rejects its key.
    await drop('other.json', JSON.stringify({ ...JSON.parse(certificate), client_email: 'other@example.com' }));
    await page.getByText('The values were read from other.json.').waitFor();
    await page.getByRole('button', { name: 'Check and save' }).click();
    await page.getByRole('alert').getByText('The credentials were not saved').waitFor();
    assert.equal(await fcmVersion(), version);

    await drop('service-account.json', certificate);
    await page.getByText('The values were read from service-account.json.').waitFor();
    await page.getByRole('button', { name: 'Check and save' }).click();
    await page.getByText('The credentials were saved.').waitFor();
    await page.getByText('The vendor accepts these credentials.').waitFor();
    assert.equal(await fcmVersion(), version + 1);
  });

  test('keeps settings that are loaded before one value is replaced, and shows the receipts URL', async () => {
    const before = await api.push.certificate({ provider: 3 });
    await open('app/demo/credentials/xiaomi');
    await page.getByRole('button', { name: 'Load the saved values' }).click();
    await page.locator('input[value="com.example.carillon"]').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Xiaomi of the shop');
    await page.getByRole('button', { name: 'Check and save' }).click();
    await page.getByText('The credentials were saved.').waitFor();
    const after = await api.push.certificate({ provider: 3 });
    assert.equal(after.name, 'Xiaomi of the shop');
    assert.deepEqual(JSON.parse(after.certificate), JSON.parse(before.certificate));
    await page.getByRole('button', { name: 'Show the URL' }).click();
    const { path } = await api.admin.certificate.callback({ provider: 3 });
    await page.getByText(new URL(path, demo.console_url).href).waitFor();
    await checkPage(page, 'credentials/xiaomi');
  });

  test('changes the contact of Web Push, keeps its keys and settings, and forgets the result after a deletion', async () => {
    const webPush = { provider: 10, environment: 0 };
    const settings = { certificate: '{"navigate":"https://shop.example.com/"}', check: false };
    await api.admin.certificate.save({ ...webPush, name: 'Pages', app_id: 'mailto:push@example.com', ...settings });
    const before = await api.push.certificate(webPush);
    await open('app/demo/credentials/webpush?environment=0');
    await page.getByText('If the settings are empty, the saved settings are loaded and kept.').waitFor();
    await page.getByLabel('Contact').fill('mailto:pages@example.com');
    await page.getByRole('button', { name: 'Check and save' }).click();
    await page.getByText('The credentials were saved.').waitFor();
    assert.deepEqual(await api.push.certificate(webPush), { ...before, app_id: 'mailto:pages@example.com' });
    await page.getByRole('button', { name: 'Delete these credentials' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete these credentials' }).click();
    await page.getByText('The credentials were saved.').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Contact').inputValue(), '');
  });

  test('opens a task from the palette, and downloads its counters and failures', async () => {
    const [shop] = demo.history_apps as [Demo['history_apps'][number]];
    const shopApi = clientOf(stage, shop.app_id);
    const { list } = await shopApi.push.task.list({ audience: 'all', limit: 1 });
    const task_id = list[0]?.task_id as bigint;
    await open(`app/${shop.app_id}`);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Page, user, device, task or any ID' }).fill(String(task_id));
    await page.getByText('found by task ID').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: list[0]?.title as string, level: 1 }).waitFor();
    assert.ok(page.url().endsWith(`/tasks/${task_id}`));
    const timeline = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
    await timeline.nth(1).getByText('Sending started').waitFor();
    const { channels } = await shopApi.push.task.report({ task_id });
    const rows = await downloadedRows('Download the counters by channel as CSV');
    assert.deepEqual(
      rows.slice(1).map((row) => row.split(',').slice(0, 3).join()),
      channels.map(({ channel, target, sent }) => `${channel},${target},${sent}`),
    );
    const failures = await downloadedRows('Download the failures as CSV');
    assert.equal(failures.length - 1, channels.flatMap((one) => one.failures).length);
    assert.ok(failures.length > 2);
    // The example leads to the device and to its attempts.
    await page
      .getByRole('link', { name: /^Example device for / })
      .first()
      .click();
    await page.getByRole('region', { name: 'User' }).getByText('Last seen on').waitFor();
    await page.getByRole('region', { name: 'Delivery timeline' }).waitFor();
  });

  test('lists the oldest tasks first if the address says so, also in the CSV file', async () => {
    const [shop] = demo.history_apps as [Demo['history_apps'][number]];
    const { list } = await clientOf(stage, shop.app_id).push.task.list({ order: 'oldest' });
    await open(`app/${shop.app_id}/tasks`);
    await page.getByRole('combobox', { name: 'Order' }).click();
    await page.getByRole('option', { name: 'Oldest first' }).click();
    await page.waitForURL(urlOf(stage, `app/${shop.app_id}/tasks?order=oldest`));
    const firstRow = page
      .getByRole('row')
      .nth(1)
      .getByRole('link', { name: list[0]?.title as string });
    await firstRow.waitFor();
    const [, first] = await downloadedRows('Download the listed tasks as CSV');
    assert.equal(first?.split(',')[0], String(list[0]?.task_id));
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByRole('link', { name: 'First page' }).click();
    await firstRow.waitFor();
    await checkPage(page, 'tasks, oldest first');
  });

  test('changes the role of an operator after a confirmation, which shows the call', async () => {
    await createOperator(stage, 'Rosa', 'viewer', demo.app_id);
    await open('app/demo/operators');
    const role = page.getByRole('combobox', { name: 'Role of Rosa' });
    await role.click();
    await page.getByRole('option', { name: 'Sender' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the role?' });
    await dialog.getByText('Rosa gets the role Sender in').waitFor();
    await dialog.getByText('Show as code').click();
    await dialog.getByText(/\/operator\/role\/set' .*"role":"sender"/s).waitFor();
    assert.equal(await role.inputValue(), 'Viewer');
    await dialog.getByRole('button', { name: 'Change the role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(async () => assert.equal(await role.inputValue(), 'Sender'));
  });

  test('recalls a notification that was sent, and names the channels that cannot', async () => {
    const { task_id } = await api.push.notify({
      audience: { user_id: [BigInt(demo.users[1]?.user_id ?? 0)] },
      message: { title: 'Recalled' },
      setting: { distribution_strategy: 'ospush_only' },
    });
    await open(`app/demo/tasks/${task_id}`);
    await page.getByText('Finished', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Recall' }).click();
    const dialog = page.getByRole('dialog', { name: 'Recall this notification?' });
    await dialog.getByRole('button', { name: 'Recall' }).click();
    await dialog.getByText(/^The recall runs on: .*Huawei/).waitFor();
    await dialog.getByText(/^The notification cannot be recalled on: .*vivo|FCM/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('heading', { name: 'Recall', exact: true }).waitFor();
  });

  test('sends a test notification to one device, and unbinds, logs out and deletes devices', async () => {
    const user_id = BigInt(demo.users[1]?.user_id ?? 0);
    await open(`app/demo/users/${user_id}`);
    const act = async (device: string, action: string) => {
      const name = `Actions for ${device}`;
      await page.getByRole('button', { name }).click();
      // The menu of another device may still be closing.
      await page.getByRole('menu', { name }).getByRole('menuitem', { name: action, exact: true }).click();
    };
    const confirm = async (title: string, action: string) => {
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.getByRole('button', { name: action }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await act('demo-huawei', 'Send a test notification');
    await confirm('Send a test notification?', 'Send the test');
    await page.getByRole('link', { name: 'See what happened' }).waitFor();
    const { list: tasks } = await api.push.task.list({ text: 'demo-huawei', counts: true });
    assert.equal(tasks[0]?.audience, 'push_token');
    await act('demo-vivo', 'Unbind vivo');
    await confirm('Unbind vivo?', 'Cancel');
    assert.equal((await api.admin.device.find({ device_guid: 'demo-vivo' })).list[0]?.bindings.length, 1);
    await act('demo-vivo', 'Unbind vivo');
    await confirm('Unbind vivo?', 'Unbind vivo');
    await page
      .getByRole('row', { name: /demo-vivo/ })
      .getByText('vivo', { exact: true })
      .waitFor({ state: 'detached' });
    await act('demo-honor', 'Log out');
    await confirm('Log out on this device?', 'Log out');
    await page.getByRole('row', { name: /demo-honor/ }).waitFor({ state: 'detached' });
    assert.equal((await api.admin.device.find({ device_guid: 'demo-honor' })).list[0]?.user_id, null);
    await act('demo-oppo', 'Log out and delete');
    await confirm('Log out and delete this device?', 'Log out and delete');
    await page.getByRole('row', { name: /demo-oppo/ }).waitFor({ state: 'detached' });
    const { list } = await api.admin.device.find({ user_id });
    assert.deepEqual(list.find(({ device_guid }) => device_guid === 'demo-vivo')?.bindings, []);
    assert.ok(list.every(({ device_guid }) => device_guid !== 'demo-oppo'));
  });

  test('creates an app, changes its settings, and manages a group', async () => {
    await open('app/demo/apps');
    await page.getByRole('button', { name: 'Create an app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an app' });
    await dialog.getByRole('textbox', { name: 'App ID' }).fill('bells');
    await dialog.getByRole('textbox', { name: 'Display name' }).fill('Bells');
    await dialog.getByText('Show as code').click();
    await dialog.getByText(/\/admin\/app\/create' .*"new_app_id":"bells"/s).waitFor();
    await dialog.getByRole('button', { name: 'Create an app' }).click();
    await dialog.getByText(/^ca_/).waitFor();
    const token = await dialog.getByText(/^ca_/).innerText();
    const bells = new Carillon({ url: demo.base_url, appId: 'bells', token });
    await dialog.getByRole('link', { name: 'Open the app' }).click();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Approval above this number of devices').fill('500');
    // Another admin changes another setting in the meantime.
    await bells.admin.app.update({ token_days: 7 });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^The settings were saved/).waitFor();
    const { approval_above, token_days } = await bells.admin.app.get();
    assert.deepEqual([approval_above, token_days], [500n, 7]);

    await open('app/demo/groups');
    await page.getByRole('button', { name: 'Create a group' }).click();
    const form = page.getByRole('dialog', { name: 'Create a group' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Choir');
    await form.getByRole('button', { name: 'Create a group' }).click();
    await page.getByRole('link', { name: 'Choir' }).click();
    await page.getByRole('combobox', { name: 'User IDs' }).fill(String(demo.users[0]?.user_id));
    await page.getByRole('combobox', { name: 'User IDs' }).press('Enter');
    await page.getByRole('button', { name: 'Add members' }).click();
    await page.getByRole('link', { name: String(demo.users[0]?.user_id) }).waitFor();
    await checkPage(page, 'group');
    const groupId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await open(`app/demo/find?text=${groupId}`);
    await page.getByRole('main').getByRole('link', { name: 'Choir' }).click();
    await page.getByRole('heading', { name: 'Choir' }).waitFor();
    await page.getByRole('button', { name: 'Delete the group' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this group?' });
    await question.getByText(/^“Choir” is deleted/).waitFor();
    await checkPage(page, 'the confirmation');
    await question.getByRole('button', { name: 'Delete the group' }).click();
    await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor();
    await page.getByText('No groups', { exact: true }).waitFor();
    assert.deepEqual(errors, []);
  });

  test('has no serious accessibility problem on the pages of setup', async () => {
    const phone = { viewport: { width: 375, height: 800 }, locale: 'zh-CN' };
    const [other, otherErrors] = await openAs(stage, demo.operator, 'app/demo/credentials/apns', phone);
    for (const name of ['credentials/apns', 'settings', 'groups', 'apps']) {
      await other.goto(urlOf(stage, `app/demo/${name}`));
      await other.getByRole('heading', { level: 1 }).waitFor();
      await other.getByRole('status', { name: '加载中' }).waitFor({ state: 'detached' });
      await checkPage(other, name);
    }
    assert.deepEqual(otherErrors, []);
    await other.context().close();
  });

  test('explains to a viewer that only admins change credentials and settings', async () => {
    const viewer = await createOperator(stage, 'Vera', 'viewer', demo.app_id);
    const [other] = await openAs(stage, viewer, 'app/demo/credentials/fcm');
    await other.getByText('Only admins can change credentials').waitFor();
    assert.equal(await other.getByRole('button', { name: 'Check and save' }).count(), 0);
    await other.getByRole('link', { name: 'Settings', exact: true }).click();
    await other.getByText('Only admins can change settings').waitFor();
    assert.equal(await other.getByRole('button', { name: 'Save', exact: true }).count(), 0);
    await other.context().close();
  });

  test('shows a chart, whose table has the numbers of the API, for all channels or one', async () => {
    const [shop] = demo.history_apps;
    assert.ok(shop);
    const shopApi = clientOf(stage, shop.app_id);
    const list = await eventually(async () => {
      const counts = await completeDailyCounts(shopApi);
      assert.ok(counts, 'the counters by day are incomplete');
      return counts;
    }, 120);
    await open(`app/${shop.app_id}?days=30`);
    await page
      .getByRole('img', { name: /^Bar chart/ })
      .locator('canvas')
      .waitFor();
    await page.getByRole('button', { name: 'Show as a table' }).click();
    const sentBy = (name: string) =>
      list.reduce((sum, { channel, sent }) => sum + (channel === name ? sent : 0n), 0n).toLocaleString('en-US');
    await page.getByRole('row', { name: new RegExp(`^Huawei ${sentBy('huawei')} `) }).waitFor();
    await page.getByRole('row', { name: new RegExp(`^Xiaomi ${sentBy('xiaomi')} `) }).waitFor();
    await page.goto(`${page.url()}&channel=huawei`);
    await page.getByRole('button', { name: 'Show as a table' }).click();
    await page.getByRole('row', { name: new RegExp(`^Huawei ${sentBy('huawei')} `) }).waitFor();
    assert.equal(await page.getByRole('row', { name: /^Xiaomi/ }).count(), 0);
    await checkPage(page, 'overview with a chart');
  });

  test('names a paused channel on its bar, and resumes it', async () => {
    const [shop] = demo.history_apps as [Demo['history_apps'][number]];
    const message = { title: 'Lanterns are back' };
    const setting = { distribution_strategy: 'ospush_only' } as const;
    const { task_id } = await clientOf(stage, shop.app_id).push.notify({ audience: 'all', message, setting });
    await open(`app/${shop.app_id}/tasks/${task_id}`);
    const bar = page.getByRole('row', { name: /^OPPO/ });
    await bar.getByText('· Paused').waitFor();
    await open(`app/${shop.app_id}`);
    await page.getByRole('link', { name: 'Open the channels' }).click();
    await page.getByText('Paused 5 hours ago: 11: Invalid AuthToken').waitFor();
    await page.getByRole('button', { name: 'Resume OPPO now' }).click();
    await page.getByText('OPPO is open again.').waitFor();
    await page.getByRole('button', { name: 'Resume OPPO now' }).waitFor({ state: 'detached' });
    await open(`app/${shop.app_id}/tasks/${task_id}`);
    await page.getByText('Finished', { exact: true }).waitFor();
    assert.equal(await bar.getByText('· Paused').count(), 0);
  });

  async function downloadedRows(button: string): Promise<string[]> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return readFileSync(await file.path(), 'utf8')
      .replace('\uFEFF', '')
      .trimEnd()
      .split('\r\n');
  }
});
