import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import { checkPage, clientOf, openAs, type Stage, urlOf } from '../start-console.ts';

/** More than the seconds for which the task is held, and the time for sending. */
const FINISH_SECONDS_MAX = 60;

export function testTaskPage(stage: () => Stage): void {
  test('shows the message and the audience of a task, and leads to one of its recipients', async () => {
    const api = clientOf(stage(), 'shop');
    const { list: users } = await api.admin.user.list({ limit: 120 });
    const { task_id } = await api.push.notify({
      audience: { user_id: users.map(({ user_id }) => user_id) },
      message: { title: 'Lanterns for all', body: 'Come at seven.', ext: { order: 9_007_199_254_740_993n } },
    });
    const [page, errors] = await openAs(stage(), stage().demo.operator, `app/shop/tasks/${task_id}`);
    const content = page.getByRole('region', { name: 'Message and audience' });
    await content.getByText('Come at seven.', { exact: true }).waitFor();
    await content.getByText('Other fields: ext, type, and badge').click();
    await content.getByText('"order": 9007199254740993').waitFor();
    await content.getByText('Users (120)').waitFor();
    assert.equal(await content.getByRole('listitem').count(), 10);
    await content.getByText('and 110 more').waitFor();
    await content.getByRole('button', { name: 'Show the first 100' }).click();
    await content.getByText('and 20 more').waitFor();
    assert.equal(await content.getByRole('listitem').count(), 100);
    await checkPage(page, 'a task with many recipients');
    await content.getByRole('link', { name: String(users[0]?.user_id), exact: true }).click();
    await page.getByRole('region', { name: 'Delivery timeline' }).waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('shows the clicks on each channel that has any, and the file with the counters contains them', async () => {
    const api = clientOf(stage(), 'shop');
    const { list } = await api.push.task.list({ audience: 'tag', order: 'oldest', limit: 1 });
    const taskId = list[0]?.task_id as bigint;
    const { channels } = await api.push.task.report({ task_id: taskId });
    const clicks = channels.map(({ clicked }) => Number(clicked));
    const total = clicks.reduce((sum, clicked) => sum + clicked, 0);
    assert.ok(total > 0);
    const [page, errors] = await openAs(stage(), stage().demo.operator, `app/shop/tasks/${taskId}`);
    const funnel = page.getByRole('region', { name: 'Delivery by channel' });
    await funnel.getByRole('columnheader', { name: 'Clicked' }).waitFor();
    assert.equal(
      await funnel
        .getByRole('row', { name: /^Total/ })
        .getByRole('cell')
        .last()
        .textContent(),
      `${total}`,
    );
    const downloading = page.waitForEvent('download');
    await funnel.getByRole('button').click();
    const file = await readFile(await (await downloading).path(), 'utf8');
    const [head, ...rows] = file
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const column = head?.indexOf('clicked') as number;
    assert.deepEqual(
      rows.map((row) => Number(row[column])),
      clicks,
    );
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('reports the recall that a cancellation has started after the task was finished', async () => {
    const { demo } = stage();
    const api = clientOf(stage(), 'demo');
    const [page, errors] = await openAs(stage(), demo.operator, 'app/demo/tasks');
    const { task_id } = await api.push.notify({
      audience: { user_id: [BigInt(demo.users[1]?.user_id ?? 0)] },
      message: { title: 'Too late' },
      setting: { distribution_strategy: 'ospush_only', hold_seconds: 10 },
    });
    await page.goto(urlOf(stage(), `app/demo/tasks/${task_id}`));
    await page.getByRole('button', { name: 'Cancel task' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this task?' });
    await dialog.getByLabel('Also remove the notification').check();
    await eventually(async () => {
      const { list } = await api.push.task.list({ after: task_id + 1n, limit: 1 });
      assert.equal(list[0]?.state, 'finished');
    }, FINISH_SECONDS_MAX);
    await dialog.getByRole('button', { name: 'Cancel task' }).click();
    await dialog.getByText('The task was already finished. Nothing was cancelled.').waitFor();
    await dialog.getByText(/^The recall runs on: .*Huawei/).waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('loads the counters of a finished task again after an outage, and does not report failures as absent', async () => {
    const api = clientOf(stage(), 'shop');
    const { list } = await api.push.task.list({ audience: 'tag', order: 'oldest', limit: 1 });
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/shop/tasks');
    const unavailable = { code: 50003, data: null, message: 'A database is unavailable.' };
    await page.route('**/push/task/detail', (route) => route.fulfill({ status: 503, json: unavailable }));
    await page.route('**/push/task/report', async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const body = text
        .replace('"incomplete":false', '"incomplete":true')
        .replaceAll(/"failures":\[.*?\]/g, '"failures":[]');
      await route.fulfill({ response, body });
    });
    await page.goto(urlOf(stage(), `app/shop/tasks/${list[0]?.task_id}`));
    await page.getByText('A database is unavailable. Counters and failures').waitFor();
    await page.getByText('No known failures').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByText('A database is unavailable. Counters and failures').waitFor({ state: 'detached' });
    const funnel = page.getByRole('region', { name: 'Delivery by channel' });
    await funnel.getByRole('alert').waitFor({ state: 'detached' });
    await funnel.getByRole('row', { name: /^Total/ }).waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}
