import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkPage, checkWidths, clientOf, openAs, openPage, type Stage, signIn, urlOf } from '../start-console.ts';

const PHONE = { viewport: { width: 375, height: 800 }, locale: 'zh-CN' };
const pages = ['', 'compose', 'tasks', 'drafts', 'find', 'users', 'users/200000', 'channels', 'credentials', 'tokens'];
const adminPages = ['operators', 'audit', 'audit?installation=true', 'account', 'drafts?state=rejected', 'nowhere'];
/** The other pages, whose parts are also on the pages above, and those with the widest tables. */
const furtherPages = ['groups', 'groups/1', 'apps', 'settings', 'credentials/apns', 'users/1', 'tasks', 'operators'];
/** Pages with a button that opens a dialog. */
const dialogs = { tasks: '查看代码', tokens: '创建 token', operators: '创建操作员' };

export function testAccessibility(stage: () => Stage): void {
  test('has no serious accessibility problem on any page in both themes, and fits on every screen', async () => {
    const { browser, demo } = stage();
    const [page, errors] = await openPage(browser, PHONE);
    await page.goto(demo.console_url);
    await page.locator('input[type=password]').waitFor();
    await checkPage(page, 'sign-in');
    await signIn(page, demo.operator);
    await page.getByRole('heading', { name: '概览', level: 1 }).waitFor();
    const { list } = await clientOf(stage(), 'shop').push.task.list({ audience: 'all' });
    const taskId = list.at(-1)?.task_id;
    const traced = `find?text=user-200000&user_id=200000&task_id=${taskId}`;
    for (const name of [...pages, ...adminPages, `tasks/${taskId}`, traced]) {
      await openAndLoad(page, name);
      if (name === 'compose') await fillForm(page);
      await checkPage(page, name);
      const button = dialogs[name as keyof typeof dialogs];
      if (button === undefined) continue;
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('dialog').waitFor();
      await checkPage(page, `the dialog of ${name}`);
    }
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('does not scroll sideways in English, whose words are longer', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/shop/groups');
    for (const name of furtherPages) {
      await openAndLoad(page, name);
      await checkWidths(page, name);
    }
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  async function openAndLoad(page: Page, name: string): Promise<void> {
    await page.goto(urlOf(stage(), `app/shop/${name}`));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await waitUntilLoaded(page);
  }
}

/** The smallest window of a laptop that shows the whole navigation. */
const LAPTOP = { viewport: { width: 1280, height: 768 } };
/** Runs in a page: returns the height that is visible only after scrolling. */
function hiddenPixels(element: unknown): number {
  const { scrollHeight, clientHeight } = element as Record<'scrollHeight' | 'clientHeight', number>;
  return scrollHeight - clientHeight;
}

export function testNavigation(stage: () => Stage): void {
  test('shows the pages in named lists without scrolling on a laptop, and scrolls them on a phone', async () => {
    const { demo } = stage();
    for (const [locale, heading, link] of [
      ['en-US', 'Setup', 'Credentials'],
      ['zh-CN', '配置', '凭据'],
    ] as const) {
      const [page] = await openAs(stage(), demo.operator, 'app/shop/tasks', { ...LAPTOP, locale });
      await page.getByRole('list', { name: heading }).getByRole('link', { name: link, exact: true }).waitFor();
      assert.equal(await page.getByRole('navigation').evaluate(hiddenPixels), 0);
      await page.context().close();
    }
    const [phone] = await openAs(stage(), demo.operator, 'app/shop/tasks', { viewport: { width: 375, height: 600 } });
    await phone.getByRole('button', { name: 'Navigation' }).click();
    const menu = phone.getByRole('navigation');
    assert.ok((await menu.evaluate(hiddenPixels)) > 0);
    await menu.getByRole('link', { name: 'Apps', exact: true }).click();
    await phone.getByRole('heading', { name: 'Apps', level: 1 }).waitFor();
    // The logo and the address without an app lead to this app, which is not the first one.
    await phone.getByRole('link', { name: 'Carillon', exact: true }).click();
    await phone.waitForURL(urlOf(stage(), 'app/shop'));
    await phone.goto(demo.console_url);
    await phone.waitForURL(urlOf(stage(), 'app/shop'));
    await phone.getByRole('button', { name: 'Navigation' }).click();
    await menu.getByRole('button', { name: 'Search' }).click();
    await phone.getByRole('textbox', { name: 'Page, user, device, task or any ID' }).fill('tok');
    await phone.getByRole('button', { name: 'Tokens' }).click();
    await phone.getByRole('heading', { name: 'Admin tokens', level: 1 }).waitFor();
    await phone.context().close();
  });
}

async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  // A page can load several parts.
  await page
    .getByRole('status', { name: /加载中|Loading/ })
    .first()
    .waitFor({ state: 'detached' });
}

/** Fills the form, so that the reach and the previews are part of the page. */
async function fillForm(page: Page): Promise<void> {
  await page.getByLabel('标题').fill('A title');
  await page.getByRole('article').first().waitFor();
}
