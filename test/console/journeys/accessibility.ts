import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkPage, clientOf, openPage, type Stage, signIn, urlOf } from '../start-console.ts';

const PHONE = { viewport: { width: 375, height: 800 }, locale: 'zh-CN' };
const pages = ['', 'compose', 'tasks', 'drafts', 'find', 'users', 'users/200000', 'channels', 'credentials', 'tokens'];
const adminPages = ['operators', 'audit', 'account'];
/** Pages with a button that opens a dialog. */
const dialogs = { tasks: '查看代码', tokens: '创建 token', operators: '创建操作员' };

export function testAccessibility(stage: () => Stage): void {
  test('has no serious accessibility problem on any page in both themes, and fits on a phone', async () => {
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
      await page.goto(urlOf(stage(), `app/shop/${name}`));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await waitUntilLoaded(page);
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
}

async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.getByRole('status', { name: '加载中' }).waitFor({ state: 'detached' });
}

/** Fills the form, so that the reach and the previews are part of the page. */
async function fillForm(page: Page): Promise<void> {
  await page.getByLabel('标题').fill('A title');
  await page.getByRole('article').first().waitFor();
}
