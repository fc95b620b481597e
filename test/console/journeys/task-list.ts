import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openAs, type Stage, urlOf } from '../start-console.ts';

/** Time between two keys of an operator who types a date. */
const KEY_MS = 100;

export function testTaskList(stage: () => Stage): void {
  test('filters the tasks by a date that is typed, with one request after the last key', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/shop/tasks');
    await page.getByRole('row').nth(1).waitFor();
    const from = page.getByLabel('From', { exact: true });
    const requested = new Set<number>();
    page.on('request', (request) => {
      const { from: fromMs } = (request.postDataJSON() ?? {}) as { from?: number };
      if (request.url().endsWith('/push/task/list') && fromMs !== undefined) requested.add(fromMs);
    });
    await from.focus();
    await page.keyboard.type('11182020', { delay: KEY_MS });
    await page.waitForURL(urlOf(stage(), 'app/shop/tasks?from=2020-11-18'));
    assert.equal(await from.inputValue(), '2020-11-18');
    await page.getByRole('row').nth(1).waitFor();
    assert.equal(requested.size, 1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL(urlOf(stage(), 'app/shop/tasks'));
    assert.equal(await from.inputValue(), '');
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('says that a file of tasks is incomplete if the search takes too many calls', async () => {
    const [page, errors] = await openAs(stage(), stage().demo.operator, 'app/shop/tasks');
    await page.getByRole('row').nth(1).waitFor();
    const button = page.getByRole('button', { name: 'Download the listed tasks as CSV' });
    const whole = page.waitForEvent('download');
    await button.click();
    const lines = await linesOf((await whole).path());
    assert.equal(await page.getByText('The file is incomplete').count(), 0);
    // Each call of the file returns one task, and says that there are more.
    let calls = 0;
    await page.route('**/push/task/list', async (route) => {
      const { limit } = route.request().postDataJSON() as { limit: number };
      if (limit < 500) return route.continue();
      calls++;
      const response = await route.fetch();
      const { data, ...rest } = (await response.json()) as { data: { list: { task_id: number }[] } };
      const [first] = data.list;
      await route.fulfill({ response, json: { ...rest, data: { list: [first], next: first?.task_id } } });
    });
    const part = page.waitForEvent('download');
    await button.click();
    const partLines = await linesOf((await part).path());
    await page.getByText(/^The file is incomplete: it has \d+ tasks, the last one accepted \w+ \d+, \d{4}/).waitFor();
    assert.ok(calls > 10 && calls < 100, `${calls} calls`);
    assert.equal(partLines, calls + 1);
    assert.ok(lines > 1);
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

const linesOf = async (path: Promise<string>): Promise<number> =>
  (await readFile(await path, 'utf8')).trim().split('\r\n').length;
