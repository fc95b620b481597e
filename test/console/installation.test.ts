import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createLog } from '#src/foundation/log.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { retireDay } from '#src/worker/upkeep/retire-days.ts';
import { buildConsole } from '../../scripts/console/build-console.ts';
import { startBrowser } from '../../scripts/dev/demo-process.ts';
import { startRole } from '../../scripts/dev/role-process.ts';
import { newMasterKeys } from '../../scripts/stack/master-keys.ts';
import { createMigratedDatabases } from '../support/databases.ts';
import { createDayPartitions, dayNumberBefore, insertFinishedTasks } from '../support/old-tasks.ts';
import { OPERATOR_PASSWORD, seedOperator } from '../support/operator.ts';
import { runBin } from '../support/run-command.ts';
import { testStack } from '../support/stack.ts';
import { checkPage, openPage, signIn } from './start-console.ts';

const PHONE = { viewport: { width: 375, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] };
const PLATFORM_OPERATOR = 'ada@example.com';
const DAYS_AGO = 90;

describe('the console of a new installation', () => {
  const resources = new AsyncDisposableStack();
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  let storage: Storage;
  let settings: Record<string, string>;
  let consoleUrl: string;

  before(async () => {
    await buildConsole({ ifChanged: true, log: () => undefined });
    const databases = resources.use(await createMigratedDatabases());
    settings = {
      ...databases.settings,
      CARILLON_NATS_URLS: (await testStack()).natsUrls.join(','),
      CARILLON_NATS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
      ...newMasterKeys('test'),
    };
    storage = await openStorage({
      settings: { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 10 },
      connections: 2,
      log: createLog({ level: 'error', fields: { role: 'test' } }),
    });
    resources.defer(() => storage.close());
    const api = resources.use(await startRole('api', settings));
    consoleUrl = `${api.apiUrl}/console/`;
    browser = await startBrowser(resources);
    await init('--operator-email', PLATFORM_OPERATOR);
  });
  after(() => resources.disposeAsync());

  async function init(...args: readonly string[]): Promise<void> {
    const { code, stderr } = await runBin('init', args, { ...settings, CARILLON_OPERATOR_PASSWORD: OPERATOR_PASSWORD });
    assert.equal(code, 0, stderr);
  }

  async function openAs(email: string, options?: BrowserContextOptions): Promise<[Page, string[]]> {
    const [page, errors] = await openPage(browser, options);
    await page.goto(consoleUrl);
    await signIn(page, { email, password: OPERATOR_PASSWORD });
    return [page, errors];
  }

  test('shows a platform operator the command that creates the first app', async () => {
    const [page, errors] = await openAs(PLATFORM_OPERATOR, PHONE);
    await page.getByRole('heading', { name: 'This installation has no app', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const command = String(await page.evaluate('navigator.clipboard.readText()'));
    await checkPage(page, 'an installation without an app');

    const [, appId, name] = /^node src\/bin\/init\.ts (\w+) "(.+)"$/.exec(command) ?? [];
    assert.ok(appId && name, command);
    await init(appId, name);
    await page.reload();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    assert.equal(appId, 'shop');
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('asks an operator without a role to get one from a platform operator', async () => {
    await seedOperator(storage.home, 'nora@example.com');
    const [page, errors] = await openAs('nora@example.com');
    await page.getByRole('heading', { name: 'No app is assigned to you', level: 1 }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Copy' }).count(), 0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('input[type=password]').waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test('shows the counters of a task whose content was deleted, but not of an unknown task', async () => {
    await createDayPartitions(storage, DAYS_AGO);
    const day = dayNumberBefore(DAYS_AGO);
    const [taskId] = await insertFinishedTasks(storage, 'shop', day, [{ places: { nativepush: 120, fcm: 34 } }]);
    assert.equal(await retireDay(storage, day), 'dropped');
    const [page, errors] = await openAs(PLATFORM_OPERATOR);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.goto(new URL(`app/shop/tasks/${taskId}`, consoleUrl).href);
    await page.getByRole('heading', { name: `Task ${taskId}`, level: 1 }).waitFor();
    await page.getByText('The content of this task was deleted after the retention period.').waitFor();
    await page.getByRole('row', { name: /^Total .*154/ }).waitFor();
    await checkPage(page, 'a task whose content was deleted');

    await page.goto(new URL('app/shop/tasks/1', consoleUrl).href);
    await page.getByText('Task 1 is not in the list').waitFor();
    assert.equal(await page.getByRole('table').count(), 0);
    assert.deepEqual(errors, []);
    await page.context().close();
  });
});
