import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import { checkPage, clientOf, createOperator, openAs, type Stage, urlOf } from '../start-console.ts';

/** The mobile number of a user with one OPPO phone. The channel OPPO of this app is paused. */
const MOBILE = '+8613900200011';

export function testFind(stage: () => Stage): void {
  test('explains from a mobile number, with two clicks, why a notification did not arrive', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/shop/find');
    await page.getByLabel('Any ID').fill(MOBILE);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('region', { name: 'User' }).getByText(MOBILE).waitFor();
    const failed = page.getByRole('row', { name: /Not delivered/ }).first();
    await failed.getByText('OPPO did not accept the notification, and no other channel is left.').last().waitFor();
    await failed.getByRole('link').click();
    const timeline = page.getByRole('region', { name: 'Delivery timeline' });
    await timeline.getByText('Not delivered').waitFor();
    await timeline.getByText('The vendor rejects the credentials').waitFor();
    await timeline
      .getByText(/Invalid AuthToken/)
      .first()
      .waitFor();
    // Attempts can follow each other within a second.
    await timeline
      .getByText(/\d:\d{2}:\d{2}\s[AP]M · OPPO/)
      .first()
      .waitFor();
    // The address leads a colleague to the same timeline.
    const [other] = await openAs(stage(), stage().demo.operator, page.url());
    await other.getByRole('region', { name: 'Delivery timeline' }).getByText('Not delivered').waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
    await other.context().close();
  });

  test('explains in the language that the operator chooses, whatever the language of the browser', async () => {
    const [page, errors] = await openAs(
      stage(),
      stage().demo.operator,
      `app/shop/find?text=${encodeURIComponent(MOBILE)}`,
    );
    const failed = page.getByRole('row', { name: /Not delivered/ }).first();
    await failed.getByText('OPPO did not accept the notification').last().waitFor();
    await failed.getByRole('link').click();
    await page.getByLabel('Language').first().click();
    await page.getByRole('option', { name: '中文' }).click();
    const timeline = page.getByRole('region', { name: '投递过程' });
    await timeline.getByText('OPPO 没有接受通知，且没有其他可用的通道。').waitFor();
    await timeline
      .getByText(/^OPPO 拒绝了应用的凭据：/)
      .first()
      .waitFor();
    assert.equal(await page.getByText('did not accept the notification').count(), 0);
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('says that nothing was found or a user does not exist, and opens the only match of a name', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/shop/find?text=nobody');
    await page.getByText('Nothing found for “nobody”').waitFor();
    await page.getByLabel('Any ID').fill('user-200000');
    await page.keyboard.press('Enter');
    const user = page.getByRole('region', { name: 'User' }).getByRole('link', { name: 'user-200000' });
    await user.waitFor();
    await page.getByLabel('Any ID').and(page.locator(':focus')).waitFor();
    await user.click();
    await page.getByRole('heading', { name: 'user-200000', level: 1 }).waitFor();
    await page.goto(urlOf(stage(), 'app/shop/users/1'));
    await page.getByText('User 1 does not exist').waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('says that other users can have the same device ID if many of them are found', async () => {
    const guid = 'shared-tablet';
    const client = clientOf(stage(), 'news');
    for (let i = 0; i < 21; i++) {
      const { user_id } = await client.admin.user.create({ name: `reader-${i}` });
      await client.admin.user.token({ user_id, device_guid: guid });
    }
    const [page, errors] = await openAs(stage(), stage().demo.operator, `app/news/find?text=${guid}`);
    await page.getByText('Only 20 matches are shown.').waitFor();
    assert.equal(await page.getByRole('link', { name: guid }).count(), 20);
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('says how many attempts were not recorded, and opens no match of an incomplete search', async () => {
    const client = clientOf(stage(), 'shop');
    const { list } = await client.push.task.list({ audience: 'all' });
    const user = `user_id=200000&task_id=${list.at(-1)?.task_id}`;
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/shop/find');
    await page.route('**/push/task/trace', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('"left_out":0', '"left_out":1200') });
    });
    await page.goto(urlOf(stage(), `app/shop/find?${user}`));
    const timeline = page.getByRole('region', { name: 'Delivery timeline' });
    await timeline.getByText(/^1,200 more attempts on \S.* were not recorded\.$/).waitFor();
    await page.route('**/admin/lookup', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"incomplete":false', '"incomplete":true');
      await route.fulfill({ response, body });
    });
    await page.goto(urlOf(stage(), 'app/shop/find?text=user-200000'));
    await page.getByText('A database is unavailable, so results can be missing.').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'user-200000' }).waitFor();
    assert.equal(page.url(), urlOf(stage(), 'app/shop/find?text=user-200000'));
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('deletes a device on which no user is logged in', async () => {
    const guid = 'left-phone';
    const client = clientOf(stage(), 'news');
    const { user_id } = await client.admin.user.create({ name: 'leaver' });
    const { push_token } = await client.admin.user.token({ user_id, device_guid: guid });
    await client.admin.device.logout({ push_token: push_token as string });
    const [page, errors] = await openAs(stage(), stage().demo.operator, `app/news/find?text=${guid}`);
    await page.getByText('No user is logged in').waitFor();
    await checkPage(page, 'a device without a user');
    await page.getByRole('button', { name: `Delete: ${guid}` }).click();
    await page
      .getByRole('dialog', { name: 'Delete this device?' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click();
    await page.getByText(`Nothing found for “${guid}”`).waitFor();
    const reader = await createOperator(stage(), 'Rea', 'viewer', 'news');
    const { push_token: next } = await client.admin.user.token({ user_id, device_guid: guid });
    await client.admin.device.logout({ push_token: next as string });
    const [other] = await openAs(stage(), reader, `app/news/find?text=${guid}`);
    await other.getByText('No user is logged in').waitFor();
    assert.equal(await other.getByRole('button', { name: `Delete: ${guid}` }).count(), 0);
    assert.deepEqual(errors, []);
    await page.context().close();
    await other.context().close();
  });

  test('leads from the timeline of one device to that of another, on which no user is logged in', async () => {
    const client = clientOf(stage(), 'news');
    const { user_id } = await client.admin.user.create({ name: 'mover' });
    const log = (device_guid: string) => client.admin.user.token({ user_id, device_guid });
    const [{ push_token: kept }, { push_token: left }] = [await log('kept-phone'), await log('moved-phone')];
    const { task_id } = await client.push.notify({
      audience: { user_id: [user_id] },
      message: { title: 'On two phones' },
    });
    // A device that is logged out before the audience is resolved would get no notification.
    await eventually(async () => {
      const { list } = await client.admin.device.notifications({ user_id });
      assert.equal(list.length, 2);
    });
    await client.admin.device.logout({ push_token: left as string });
    const address = `app/news/find?user_id=${user_id}&task_id=${task_id}&push_token=${kept}`;
    const [page, errors] = await openAs(stage(), stage().demo.operator, address);
    const timeline = page.getByRole('region', { name: 'Delivery timeline' });
    await timeline.getByText('kept-phone', { exact: true }).waitFor();
    await page
      .getByRole('row', { name: /moved-phone/ })
      .getByRole('link')
      .click();
    await timeline.getByText('moved-phone', { exact: true }).waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}
