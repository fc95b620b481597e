import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { Carillon } from '../sdk/src/index.ts';
import { signIn, startBrowser, startDemoProcess } from './dev/demo-process.ts';
import { completeDailyCounts } from './dev/history/daily-counts.ts';

// `npm run pictures` takes the pictures of the console for README and docs, with the data of `npm run dev -- --demo`.

const HELP = `Usage: npm run pictures

Starts the demo with two weeks of tasks, and takes pictures of the console into docs/images.
Needs Chromium as /usr/bin/chromium, or its path in the variable CHROMIUM.
`;

const root = fileURLToPath(new URL('..', import.meta.url));
/** A larger picture makes README slow to load. */
const PICTURE_BYTES_MAX = 150_000;
const WIDTH = 1280;
const HEIGHT = 900;
const QUALITY_PERCENT = 80;

const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
if (values.help) process.stdout.write(HELP);
else await takePictures();

async function takePictures(): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const demo = await startDemoProcess(resources);
  const browser = await startBrowser(resources);
  const page = await browser.newPage({
    viewport: { width: WIDTH, height: HEIGHT },
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await signIn(page, demo);
  const [shop] = demo.history_apps;
  if (!shop) throw new Error('The demo has no app with history.');
  const api = new Carillon({ url: demo.base_url, appId: shop.app_id, token: shop.admin_token });
  const open = (path: string) => page.goto(new URL(`app/${shop.app_id}/${path}`, demo.console_url).href);

  while (!(await completeDailyCounts(api))) await delay(1_000);
  await open('');
  await page.locator('canvas').waitFor();
  await takePicture(page, 'overview');

  // The previews are below the form.
  await page.setViewportSize({ width: WIDTH, height: 1300 });
  await open('compose');
  await page.getByRole('textbox', { name: 'Title' }).fill('Lantern festival sale');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Two days only: 30 % off all paper lanterns.');
  await page
    .getByText(/^[\d,]+ devices$/)
    .first()
    .waitFor();
  await takePicture(page, 'compose');
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });

  const { list } = await api.push.task.list({ audience: 'all', limit: 1 });
  await open(`tasks/${list[0]?.task_id}`);
  await page.getByRole('row', { name: /^Total/ }).waitFor();
  await takePicture(page, 'task');

  const { user_id, task_id } = await findUndelivered(api);
  await open(`find?user_id=${user_id}&task_id=${task_id}`);
  await page.getByRole('heading', { name: 'Notifications' }).waitFor();
  await takePicture(page, 'find');
}

/** Returns a notification that a user did not get, because its explanation is more useful than a success. */
async function findUndelivered(api: Carillon): Promise<{ user_id: bigint; task_id: bigint }> {
  const { list: users } = await api.admin.user.list({ limit: 100 });
  for (const { user_id } of users) {
    const { list } = await api.admin.device.notifications({ user_id });
    const missed = list.find(({ state }) => state === 'ended');
    if (missed) return { user_id, task_id: missed.task_id };
  }
  throw new Error('The demo has no undelivered notification among the first 100 users.');
}

/** Takes a picture as WebP, which Playwright does not offer. */
async function takePicture(page: Page, name: string): Promise<void> {
  await page.getByRole('status', { name: 'Loading …' }).waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  await page.mouse.move(0, 0);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY_PERCENT });
  await session.detach();
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > PICTURE_BYTES_MAX) throw new Error(`The picture ${name} has ${bytes.length} bytes.`);
  await writeFile(join(root, `docs/images/console-${name}.webp`), bytes);
  console.log(`docs/images/console-${name}.webp: ${Math.round(bytes.length / 1000)} kB`);
}
