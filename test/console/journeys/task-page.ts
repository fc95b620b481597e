import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { checkPage, clientOf, openAs, type Stage } from '../start-console.ts';

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
}
