import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Carillon } from '../../../sdk/src/index.ts';
import { call, openAs, type Stage } from '../start-console.ts';

/** An operator opens a new app, follows the first steps, and sends the first notification. */
export function testFirstPush(stage: () => Stage): void {
  test('leads from an empty app to the first notification, and marks each step', async () => {
    const { platform, demo } = stage();
    const app = { new_app_id: 'fresh', name: 'Fresh Start' };
    const { admin_token } = await call<{ admin_token: string }>(platform, '/admin/app/create', app, {
      app_id: 'demo',
    });
    const client = new Carillon({ url: demo.base_url, appId: 'fresh', token: admin_token });
    const [page, errors] = await openAs(stage(), demo.operator, 'app/fresh');
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('Open', { exact: true }).nth(1).waitFor();
    await steps.getByText('Optional', { exact: true }).waitFor();
    await steps.getByText('save the credentials of its simulator').waitFor();
    await steps.getByRole('link', { name: 'Save the credentials of a vendor' }).click();
    await page.getByText('No credentials', { exact: true }).waitFor();
    await client.admin.certificate.save({
      provider: 3,
      environment: 1,
      name: 'Xiaomi',
      app_id: '2882303761510000001',
      app_key: '5761510000001',
      app_secret: 'demo/xiaomi+secret==',
      certificate: JSON.stringify({ package_names: ['com.example.carillon'] }),
    });
    await page.goBack();
    const user = { name: 'grace', password: 'grace-and-her-bells' };
    const { user_id } = await client.admin.user.create(user);
    await client.token.user({ ...user, device_guid: 'grace-phone' });
    const done = steps.getByText('Done', { exact: true });
    await done.nth(1).waitFor();
    await steps.getByRole('link', { name: 'Send the first notification' }).click();
    await page.getByLabel('Title').fill('First bell');
    await page.getByText('1 device', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Test …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test' });
    await dialog.getByLabel('User ID').fill(String(user_id));
    await dialog.getByRole('button', { name: 'Send the test' }).click();
    await dialog.getByRole('link', { name: 'See what happened' }).click();
    await page.getByRole('region', { name: 'Delivery timeline' }).getByText('grace-phone').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: 'First bell' }).waitFor();
    // All steps are done, so the list of steps has disappeared.
    await steps.waitFor({ state: 'detached' });
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}
