import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPage, clientOf, createOperator, openAs, type Stage, signIn, urlOf } from '../start-console.ts';

/** Time in which a paused call would be sent after the browser is online again. */
const RESUME_MS = 1_500;
/** More than the transition with which a dialog closes. */
const CLOSE_MS = 500;
/** More than the time for which counters are not outdated. */
const OUTDATED_MS = 60 * 60 * 1000;

export function testInterruptions(stage: () => Stage): void {
  test('reports an error when a notification is sent offline, and does not send it later', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/demo/compose');
    await page.getByLabel('Title').fill('Sent offline');
    await page.getByRole('button', { name: 'Send …', disabled: false }).click();
    const dialog = page.getByRole('dialog', { name: 'Send to 10 devices?' });
    await dialog.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByRole('alert').getByText('The service does not respond.').waitFor();
    await page.context().setOffline(false);
    await page.waitForTimeout(RESUME_MS);
    const { list } = await clientOf(stage(), 'demo').push.task.list();
    assert.equal(list.filter(({ title }) => title === 'Sent offline').length, 0);
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('keeps the dialog open while a token is created, and until its Close button is pressed', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/demo/tokens');
    await page.getByRole('button', { name: 'Create a token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a token' });
    await dialog.getByLabel('Purpose').fill('Bell tower');
    const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/admin/token/create', async (route) => {
      started.resolve();
      await released.promise;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Create a token' }).click();
    await started.promise;
    await page.keyboard.press('Escape');
    assert.equal(await dialog.getByRole('button', { name: 'Close' }).count(), 0);
    released.resolve();
    await dialog.getByText('Copy the token now. It is not shown again.').waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.waitForTimeout(CLOSE_MS);
    await dialog.getByText('Copy the token now. It is not shown again.').waitFor();
    // Nor does Back, the command palette or a reload lose the token.
    await page.evaluate('history.back()');
    await page.waitForTimeout(CLOSE_MS);
    await page.keyboard.press('Control+K');
    await page.getByRole('textbox', { name: 'Page, user, device, task or any ID' }).fill('Channels');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(CLOSE_MS);
    const question = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => location.reload())');
    await (await question).dismiss();
    await dialog.getByText('Copy the token now. It is not shown again.').waitFor();
    assert.equal(page.url(), urlOf(stage(), 'app/demo/tokens'));
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    // The next token has an empty form, which Escape closes.
    await page.getByRole('button', { name: 'Create a token' }).click();
    assert.equal(await dialog.getByLabel('Purpose').inputValue(), '');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('says that the counters by day are outdated, in the list of problems and above the chart', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/news/tasks');
    const countedAt = Date.now() - OUTDATED_MS;
    await page.route('**/push/statistics/daily', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/"counted_at":(null|\d+)/, `"counted_at":${countedAt}`);
      await route.fulfill({ response, body });
    });
    await page.goto(urlOf(stage(), 'app/news'));
    await page.getByText('The counters by day are outdated').waitFor();
    await page
      .getByText(/^The counters were last refreshed on /)
      .nth(1)
      .waitFor();
    await checkPage(page, 'the overview with outdated counters');
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('returns the focus from a dialog that is closed before it has taken the focus', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/demo/tokens');
    const button = page.getByRole('button', { name: 'Create a token' });
    const dialog = page.getByRole('dialog', { name: 'Create a token' });
    await button.click();
    await dialog.locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // A dialog takes the focus in a later task of the browser, and this observer is called before that.
    await page.evaluate(`new MutationObserver((_changes, observer) => {
      if (document.querySelector('[role=dialog]') === null) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    }).observe(document.body, { childList: true, subtree: true })`);
    await button.press('Enter');
    await dialog.waitFor();
    await dialog.waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor({ timeout: 5_000 });
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('does not keep the notification of one operator for another who has signed in in a second tab', async () => {
    const [una, ugo] = [
      await createOperator(stage(), 'Una', 'sender', 'news'),
      await createOperator(stage(), 'Ugo', 'sender', 'news'),
    ];
    const [page, errors] = await openAs(stage(), una, 'app/news/compose');
    await page.getByLabel('Title').fill('Plans of Una');
    await page.getByRole('button', { name: 'Send …', disabled: false }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(urlOf(stage(), 'sign-in'));
    await signIn(tab, ugo);
    await tab.getByRole('button', { name: 'Ugo' }).waitFor();
    // The next call of the first tab is rejected, because its CSRF token belongs to the session of Una.
    await page.getByLabel('Text', { exact: true }).fill('More plans');
    await page.getByRole('button', { name: 'Ugo' }).waitFor();
    assert.equal(await page.getByLabel('Title').inputValue(), '');
    const owners = await page.evaluate(
      `Object.keys(sessionStorage).filter((key) => sessionStorage.getItem(key).includes('Plans of Una')).length`,
    );
    assert.equal(owners, 1);
    await page.reload();
    await page.getByRole('button', { name: 'Ugo' }).waitFor();
    assert.equal(await page.getByLabel('Title').inputValue(), '');
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}
