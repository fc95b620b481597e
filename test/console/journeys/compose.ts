import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { checkWidths, clientOf, DEVICES, DEVICES_TEXT, openAs, type Stage, urlOf } from '../start-console.ts';

/** More than the 30 seconds in which a task can be undone, and the time for sending. */
const HOLD_AND_SEND_MS = 90_000;
/** More than the elements before any button of a page. */
const OPTIONS_MAX = 12;
const SELECTION_MS = 300;
const TABS_MAX = 80;

export function testCompose(stage: () => Stage): void {
  test('shows previews while typing, asks for the number, sends once, and moves the funnel', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/news/compose');
    await page.getByLabel('Title').fill('Flood warning');
    await page.getByLabel('Text', { exact: true }).fill('The river rises. '.repeat(12));
    await page.getByText(DEVICES_TEXT, { exact: true }).waitFor();
    const meizu = page.getByRole('article', { name: 'Meizu' });
    await meizu.getByText('The text is cut to 100').waitFor();
    await meizu.getByText(/^(The river rises\. ?)+.{0,16}…$/).waitFor();
    await meizu.getByText(/^Daily quota: about [\d,]+ used$/).waitFor();
    assert.equal(await page.getByRole('article', { name: 'FCM' }).getByText('Daily quota').count(), 0);
    await page.getByText('More fields').click();
    await page.getByLabel('Further fields of the message').fill('{"ext": {"river": "Elbe"}');
    await page.getByText('Enter a JSON object.').waitFor();
    await page.getByLabel('Further fields of the message').fill('{"ext": {"river": "Elbe"}}');
    await meizu.getByText('Request', { exact: true }).click();
    await meizu.getByText(/"river/).waitFor();
    await page.getByLabel('Title').fill('Storm warning');
    await page.getByRole('article', { name: 'Huawei' }).getByText('Storm warning', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send …' }).click();
    const dialog = page.getByRole('dialog', { name: `Send to ${DEVICES_TEXT}?` });
    const send = dialog.getByRole('button', { name: 'Send', exact: true });
    assert.ok(await send.isDisabled());
    await dialog.getByLabel(`Type ${DEVICES} to confirm`).fill(String(DEVICES));
    // Huawei accepts its notifications three seconds later, so that the page shows at least two numbers.
    const fault = JSON.stringify({ kind: 'throttle', requests: 1, retry_after_seconds: 3 });
    await fetch(`${stage().demo.simulators.huawei}/faults`, { method: 'POST', body: fault });
    await dialog.getByText('Audience: All devices').waitFor();
    assert.equal(await dialog.getByLabel('Note for the approver').count(), 0);
    await dialog.getByText('Sending starts immediately.').waitFor();
    // The response of the first attempt is lost. The second attempt must not send twice.
    await page.route(
      '**/push/notify',
      async (route) => {
        await route.fetch();
        // A running call keeps the dialog open.
        await page.keyboard.press('Escape');
        await route.abort();
      },
      { times: 1 },
    );
    await send.click();
    await dialog.getByRole('alert').getByText('It is unknown whether the notification was accepted').waitFor();
    await send.click();
    await page.getByRole('heading', { name: 'Storm warning', level: 1 }).waitFor();
    await page
      .getByRole('timer')
      .getByText(/^Sending starts in \d+ seconds?\./)
      .waitFor();
    const sent = await watchSent(page);
    assert.ok(sent.length > 1, `the funnel has not moved: ${sent}`);
    assert.deepEqual(
      sent,
      [...sent].sort((one, other) => one - other),
    );
    const { list } = await clientOf(stage(), 'news').push.task.list();
    assert.equal(list.filter(({ title }) => title === 'Storm warning').length, 1);
    assert.equal(list[0]?.token_kind, 'operator');
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('adds a long text and a page to open to the message, and keeps further fields for Android', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/news/compose');
    await page.getByLabel('Title').fill('Night train');
    await page.getByText('More fields').click();
    const longText = 'It leaves at ten. Dinner is served until midnight.';
    await page.getByLabel('Long text').fill(longText);
    const intent = page.getByLabel('Page to open (Android)');
    await intent.fill('https://example.com/trains');
    await page.getByText('Use the format intent:#Intent;').waitFor();
    await page.getByRole('button', { name: 'Send …', disabled: true }).waitFor();
    await checkWidths(page, 'the form with an error');
    await intent.fill('intent:#Intent;component=com.example/.TrainActivity;end');
    await page.getByLabel('Further fields of the message').fill('{"android": {"channel_id": "trains"}}');
    await page.getByLabel('Text', { exact: true }).fill('It leaves at ten.');
    await page.getByRole('article', { name: 'Huawei' }).getByText(longText, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send …', disabled: false }).waitFor();
    await page.getByRole('button', { name: 'Show as code' }).click();
    const code = await page.getByText(/curl .*\/push\/notify/).innerText();
    assert.match(code, /"android":\{"click_action":"intent","intent":"intent:[^"]*;end","channel_id":"trains"\}/);
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('sends a test to the user with a name, and shows that no user has another name', async () => {
    const user = stage().demo.users[0] as { user_id: number; name: string };
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/demo/compose');
    await page.getByLabel('Title').fill('By name');
    await page.getByRole('button', { name: 'Test …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test' });
    const [field, send] = [dialog.getByLabel('user name'), dialog.getByRole('button', { name: 'Send the test' })];
    await field.fill('no-such-user');
    await send.click();
    await dialog.getByText('No user found.').waitFor();
    await field.fill(user.name);
    await dialog.getByText('No user found.').waitFor({ state: 'detached' });
    // A running call keeps the dialog open, and its result.
    await page.route(
      '**/push/notify',
      async (route) => {
        await field.press('x');
        await page.keyboard.press('Escape');
        await route.continue();
      },
      { times: 1 },
    );
    await send.click();
    await dialog.getByText('The test was sent.').waitFor();
    assert.equal(await field.inputValue(), user.name);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test …' }).click();
    // The browser remembers the ID.
    assert.equal(await field.inputValue(), String(user.user_id));
    const [task] = (await clientOf(stage(), 'demo').push.task.list({ limit: 1 })).list;
    assert.equal(task?.title, 'By name');
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('does not send to a changed audience before its devices are counted', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/demo/compose');
    const enabled = page.getByRole('button', { name: 'Send …', disabled: false });
    await page.getByLabel('Title').fill('Few or all');
    await enabled.waitFor();
    const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/push/validate', async (route) => {
      started.resolve();
      await released.promise;
      await route.continue();
    });
    await page.getByRole('combobox', { name: 'Audience' }).click();
    await page.getByRole('option', { name: 'Tags' }).click();
    await page.getByRole('combobox', { name: 'Tags' }).fill('news');
    await page.getByRole('combobox', { name: 'Tags' }).press('Enter');
    await started.promise;
    assert.equal(await enabled.count(), 0);
    released.resolve();
    await enabled.waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('counts the devices again after an error that the notification did not cause', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/demo/compose');
    const busy = { code: 12029, data: null, message: 'Too many requests.' };
    await page.route('**/push/validate', (route) => route.fulfill({ status: 429, json: busy }), { times: 1 });
    await page.getByLabel('Title').fill('Once more');
    await page.getByRole('alert').getByText('The notification could not be checked').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Send …', disabled: false }).waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('keeps the dialog of a test open if the devices cannot be counted again', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/demo/compose');
    await page.getByLabel('Title').fill('Counted once');
    const open = page.getByRole('button', { name: 'Test …' });
    await open.click();
    const dialog = page.getByRole('dialog', { name: 'Send a test' });
    await dialog.getByLabel('User ID').fill('12345');
    const busy = { code: 12029, data: null, message: 'Too many requests.' };
    await page.route('**/push/validate', (route) => route.fulfill({ status: 429, json: busy }));
    // The operator returns to the tab a minute later.
    await page.clock.setFixedTime(Date.now() + 60_000);
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('alert', { includeHidden: true }).getByText('The notification could not be checked').waitFor();
    assert.equal(await dialog.getByLabel('User ID').inputValue(), '12345');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.ok(await open.isDisabled());
    await page.unroute('**/push/validate');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Test …', disabled: false }).waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('keeps the form until it is sent or cleared, and warns of a start time that has passed', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/demo/compose');
    const [title, tags] = [page.getByLabel('Title'), page.getByRole('combobox', { name: 'Tags' })];
    await title.fill('Half a sentence');
    await page.getByRole('combobox', { name: 'Audience' }).click();
    await page.getByRole('option', { name: 'Tags' }).click();
    // A tag can contain a space.
    await tags.pressSequentially('new york');
    await tags.press('Enter');
    await page.getByText('new york', { exact: true }).waitFor();
    await tags.pressSequentially('New York');
    await tags.press('Enter');
    await page.getByText('New York', { exact: true }).waitFor();
    await page.getByLabel('Start time').fill('2020-01-01T10:00');
    await page.getByText('This time has passed. Sending starts immediately.').waitFor();
    const json = page.getByLabel('Further fields of the message');
    await page.getByText('More fields').click();
    await json.fill('{"colour": "red"}');
    await page.getByText('1 warning').click();
    await page.getByText('message.colour: This field is unknown, so it is not sent.').waitFor();
    await page.reload();
    await page.getByText('new york', { exact: true }).waitFor();
    assert.equal(await title.inputValue(), 'Half a sentence');
    // The details are open, so that the fields in them are not sent unseen.
    await json.waitFor();
    await page.getByRole('button', { name: 'Clear the form' }).click();
    assert.equal(await title.inputValue(), '');
    await tags.waitFor({ state: 'detached' });
    await page.reload();
    await title.waitFor();
    assert.equal(await title.inputValue(), '');
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('can be used with the keyboard alone, from the first page to undo', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/demo');
    const user = stage().demo.users[1] as { user_id: number };
    const { keyboard } = page;
    await tabTo(page, page.getByRole('link', { name: 'Compose', exact: true }));
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Compose', level: 1 }).waitFor();
    await tabTo(page, page.getByRole('combobox', { name: 'Audience' }));
    await keyboard.press('Enter');
    const users = page.getByRole('option', { name: 'Users' });
    await users.waitFor();
    await arrowDownTo(page, users);
    await keyboard.press('Enter');
    await tabTo(page, page.getByRole('combobox', { name: 'User IDs' }));
    await keyboard.type(String(user.user_id));
    await keyboard.press('Enter');
    await tabTo(page, page.getByLabel('Title'));
    await keyboard.type('By keyboard');
    const button = page.getByRole('button', { name: 'Send …' });
    await page.getByText('10 devices', { exact: true }).waitFor();
    await page.locator('button[type=submit]:enabled').waitFor();
    await tabTo(page, button);
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Send to 10 devices?' });
    await dialog.waitFor();
    await tabTo(page, dialog.getByRole('button', { name: 'Send', exact: true }));
    await keyboard.press('Enter');
    await page.getByRole('timer').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Undo' }));
    await keyboard.press('Enter');
    await page.getByRole('list', { name: 'Timeline' }).getByText('Cancelled', { exact: true }).waitFor();
    await page.getByText('The task was cancelled after 0 deliveries.').waitFor();
    await page.getByText('No channel was used yet').waitFor();
    const [task] = (await clientOf(stage(), 'demo').push.task.list({ counts: true, limit: 1 })).list;
    assert.deepEqual([task?.title, task?.state, task?.sent], ['By keyboard', 'cancelled', 0n]);
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('cancels a scheduled task after a confirmation', async () => {
    const schedule = (title: string) =>
      clientOf(stage(), 'demo').push.notify({
        audience: 'all',
        message: { title, show_begin_time: BigInt(Math.floor(Date.now() / 1000) + 86_400) },
      });
    const [{ task_id }, other] = [await schedule('Later'), await schedule('Much later')];
    const [page, errors] = await openAs(stage(), stage().demo.operator, `app/demo/tasks/${task_id}`);
    await page.getByText('Scheduled', { exact: true }).waitFor();
    await page.getByText(/^Sending starts at .*, a cancellation stops it/).waitFor();
    await page.getByRole('button', { name: 'Cancel task' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this task?' });
    await dialog.getByRole('button', { name: 'Cancel task' }).click();
    await dialog.getByText('The task was cancelled after 0 deliveries.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('list', { name: 'Timeline' }).getByText('Cancelled', { exact: true }).waitFor();
    assert.equal(page.url(), urlOf(stage(), `app/demo/tasks/${task_id}`));
    // The next task has its own dialog, without the result of the first one.
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Page, user, device, task or any ID' }).fill(String(other.task_id));
    await page.getByText('found by task ID').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Much later', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Cancel task' }).click();
    await dialog.getByRole('button', { name: 'Cancel task' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cancel task' }).and(page.locator(':focus')).waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

/** Presses the arrow key until the option is selected. The list handles a key only after it has opened. */
async function arrowDownTo(page: Page, option: Locator): Promise<void> {
  const selected = option.and(page.locator('[data-combobox-selected]'));
  for (let i = 0; i < OPTIONS_MAX; i++) {
    await page.keyboard.press('ArrowDown');
    const isSelected = await selected.waitFor({ timeout: SELECTION_MS }).then(
      () => true,
      () => false,
    );
    if (isSelected) return;
  }
  assert.fail('The option cannot be selected with the arrow key.');
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  for (let i = 0; i < TABS_MAX; i++) {
    await page.keyboard.press('Tab');
    if ((await element.and(page.locator(':focus')).count()) > 0) return;
  }
  assert.fail(`${element} cannot be reached with Tab`);
}

/** Returns the numbers of sent notifications that the page shows, until all devices with a vendor are reached. */
async function watchSent(page: Page): Promise<number[]> {
  const total = page.getByRole('row', { name: /^Total/ });
  await total.waitFor({ timeout: HOLD_AND_SEND_MS });
  const [target, sent] = [total.getByRole('cell').nth(-3), total.getByRole('cell').nth(-2)];
  const numbers = new Set<number>();
  const deadlineMs = Date.now() + HOLD_AND_SEND_MS;
  while (Date.now() < deadlineMs) {
    numbers.add(numberIn(await sent.innerText()));
    // Six of a hundred devices have no vendor, and are offline.
    if (numbers.has(DEVICES * 0.94)) break;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  assert.equal(numberIn(await target.innerText()), DEVICES);
  assert.equal(Math.max(...numbers), DEVICES * 0.94);
  return [...numbers];
}

const numberIn = (text: string): number => Number(text.replaceAll(',', ''));
