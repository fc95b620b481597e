import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPage, clientOf, openAs, type Stage } from '../start-console.ts';

/** A device ID as SDKs create it, which contains no place for a line break. */
const GUID = '0123456789abcdef0123456789abcdef';

export function testUsers(stage: () => Stage): void {
  test('shows a device with a long ID and its vendor tokens, and returns the focus after each dialog', async () => {
    const client = clientOf(stage(), 'news');
    const { user_id } = await client.admin.user.create({ name: 'long-id' });
    const { push_token } = await client.admin.user.token({ user_id, device_guid: GUID });
    await client.device.bind({ push_token: push_token as string, provider: 7, environment: 0, token: 'x'.repeat(40) });
    await client.device.bind({ push_token: push_token as string, provider: 5, environment: 1, token: 'y'.repeat(40) });
    const [page, errors] = await openAs(stage(), stage().demo.operator, `app/news/users/${user_id}`);
    await page.getByRole('link', { name: GUID }).waitFor();
    await page.getByText('FCM', { exact: true }).waitFor();
    await page.getByText('Development', { exact: true }).waitFor();
    await page.getByText('vivo', { exact: true }).waitFor();
    await page
      .getByText(/^Bound (now|\d+ seconds? ago)$/)
      .first()
      .waitFor();
    await checkPage(page, 'a device with a long ID');
    const actions = page.getByRole('button', { name: `Actions for ${GUID}` });
    // The window of the dialog is loaded when it is first opened, so the second time can differ.
    for (let i = 0; i < 3; i++) {
      await actions.click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await actions.and(page.locator(':focus')).waitFor({ timeout: 5_000 });
    }
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('adds a pasted column of user IDs to a group, but not more than the API accepts', async () => {
    const client = clientOf(stage(), 'news');
    const { group_id } = await client.admin.group.create({ name: 'Ringers' });
    const users = await Promise.all(['nell', 'ness'].map((name) => client.admin.user.create({ name })));
    const ids = users.map(({ user_id }) => String(user_id));
    const [page, errors] = await openAs(stage(), stage().demo.operator, `app/news/groups/${group_id}`);
    const field = page.getByRole('combobox', { name: 'User IDs' });
    const add = page.getByRole('button', { name: 'Add members' });
    const paste = async (lines: readonly string[]) => {
      await field.focus();
      await page.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', ${JSON.stringify(lines.join('\r\n'))});
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }`);
    };
    await paste(Array.from({ length: 501 }, (_, index) => String(index + 1)));
    await page.getByText('Add at most 500 users at a time. The list has 501.').waitFor();
    assert.ok(await add.isDisabled());
    await page.reload();
    await paste(ids);
    await add.click();
    for (const id of ids) await page.getByRole('link', { name: id }).waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('keeps a setting that is edited while others are saved', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/demo/settings');
    const [days, rate] = [
      page.getByLabel('Lifetime of access tokens in days'),
      page.getByLabel('Notifications per second'),
    ];
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/admin/app/update', async (route) => {
      started.resolve();
      await released.promise;
      await route.continue();
    });
    const daysBefore = await days.inputValue();
    await days.fill('91');
    await save.click();
    await started.promise;
    await rate.fill('777');
    const saved = page.waitForResponse('**/admin/app/get');
    released.resolve();
    await saved;
    await page.getByRole('button', { name: 'Save', exact: true, disabled: false }).waitFor();
    assert.equal(await rate.inputValue(), '777');
    assert.equal(await days.inputValue(), '91');
    await rate.fill('0');
    await days.fill(daysBefore);
    await save.click();
    await page.getByText('The settings were saved.').waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}
