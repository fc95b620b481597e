import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { commandsFor } from './commands.ts';
import { type OperatorShell, openOperatorShell } from './operator-shell.ts';

const page = 'docs/migrate/README.md';
const services = ['jpush', 'getui', 'fcm', 'onesignal', 'gorush'];
const VENDOR_TOKEN = 'live-815';

describe('commands of docs/migrate/README.md', () => {
  let service: Carillon;
  let shell: OperatorShell;
  const [importing, notification, ...more] = commandsFor('migrate', page) as [string, string];

  before(async () => {
    service = await startCarillon({ gateways: 0 });
    shell = await openOperatorShell({
      variables: {
        CARILLON_URL: service.apis[0]?.apiUrl as string,
        CARILLON_APP_ID: service.appId,
        CARILLON_ADMIN_TOKEN: service.adminToken,
        VENDOR_TOKEN,
      },
    });
  });
  after(async () => {
    await shell?.[Symbol.asyncDispose]();
    await service?.[Symbol.asyncDispose]();
  });

  test('the page has two blocks', () => assert.equal(more.length, 0));

  test('the notification that the page checks is valid', async () => {
    await service.post('/admin/user/create', { user_id: 100_001 });
    const { code, stdout } = await shell.type(notification);
    assert.equal(code, 0);
    const answer = JSON.parse(stdout) as { code: number; message: string | null; data: { devices: number } };
    assert.deepEqual([answer.code, answer.message, answer.data.devices], [200, null, 0]);
  });

  for (const name of services) {
    test(`the notification that the guide for ${name} shows in both formats is valid`, async () => {
      const [theirs, ours, ...others] = jsonOf(`docs/migrate/${name}.md`);
      assert.equal(others.length, 0);
      for (const content of ['On its way', 'It arrives tomorrow.', 'orders', '4711']) {
        assert.ok(JSON.stringify(theirs).includes(content), content);
        assert.ok(JSON.stringify(ours).includes(content), content);
      }
      const { message, ...rest } = ours as { message: object };
      const show_end_time = Math.floor(Date.now() / 1_000) + 86_400;
      const { code } = await service.post('/push/validate', { ...rest, message: { ...message, show_end_time } });
      assert.equal(code, 200);
    });
  }

  test('imports an existing vendor token, which then reaches the phone', async () => {
    const { code, stdout, stderr } = await shell.type(importing);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^ {2}apns +1$/m);
    assert.equal(
      (await service.tryPost('/admin/user/create', { user_id: 7_001 })).code,
      10_004,
      'the user already exists',
    );
    const taskId = await service.notify({ user_id: [7_001] }, { title: 'Hello' });
    await finishes(taskId);
    const [arrived] = await service.apnsNotificationsFor(VENDOR_TOKEN);
    assert.ok(arrived);
  });

  test('an app that later binds the vendor token with another device_guid takes it over', async () => {
    const body = { user_id: 7_001, device_guid: 'another' };
    const { data } = await service.post<{ token: string }>('/admin/user/token', body);
    await service.post('/device/bind', { provider: 1, token: VENDOR_TOKEN }, { token: data.token });
    const counts = await service.post<{ first: { apns: number } }>('/push/validate', {
      audience: { user_id: [7_001] },
      message: { title: 'Hello' },
    });
    assert.equal(counts.data.first.apns, 1);
  });

  /** Waits until the task is finished. */
  async function finishes(taskId: bigint): Promise<void> {
    const { code, stdout } = await shell.type(`carillon task watch ${taskId} --timeout 30`);
    assert.equal(code, 0, stdout);
  }
});

/** Returns the JSON blocks of a page. Fails if one is not valid JSON. */
function jsonOf(file: string): unknown[] {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = '']) => JSON.parse(json) as unknown);
}
