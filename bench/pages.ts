import { performance } from 'node:perf_hooks';
import type { Browser, Page } from 'playwright-core';
import { signIn, startBrowser, startDemoProcess } from '../scripts/dev/demo-process.ts';
import type { Demo } from '../scripts/dev/show-demo.ts';
import type { Bench, Result } from './result.ts';

const RUNS = 3;
const DEMO_GOAL_SECONDS = 20;
const PAINT_GOAL_MS = 1_500;
/** A page of the console can still replace its largest element for this time, for example by a chart. */
const SETTLED_MS = 500;

/**
 * Measures the start of the demo with 50,000 devices, and the largest contentful paint of pages of the console. The
 * baselines are the demo without history, and a page with one heading.
 */
export const pages: Bench = async ({ size = RUNS, say }) => {
  const small = await measureStart([]);
  await using resources = new AsyncDisposableStack();
  const began = performance.now();
  const demo = await startDemoProcess(resources, ['--demo'], { stderr: 'ignore' });
  const seconds = (performance.now() - began) / 1_000;
  say(`demo: ${seconds.toFixed(1)} s, without history ${small.toFixed(1)} s`);
  const start: Result = {
    name: 'start of the demo',
    ours: seconds,
    bare: small,
    unit: 's',
    goal: `< ${DEMO_GOAL_SECONDS} s`,
    reached: seconds < DEMO_GOAL_SECONDS,
  };
  const browser = await startBrowser(resources);
  const bare = Math.max(...(await repeated(size, () => measurePaint(browser, 'data:text/html,<h1>Carillon</h1>'))));
  const results = [start];
  for (const [name, path] of Object.entries(pathsOf(demo))) {
    const paints = await repeated(size, () => measureConsolePaint(browser, demo, path));
    say(`${name}: ${paints.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    const ours = Math.max(...paints);
    const goal = `< ${PAINT_GOAL_MS} ms`;
    results.push({ name, ours, bare, unit: 'ms, slowest', goal, reached: ours < PAINT_GOAL_MS });
  }
  return { results, work: [] };
};

function pathsOf({ history_apps }: Demo): Readonly<Record<string, string>> {
  const [app] = history_apps;
  if (!app) throw new Error('The demo has no app with history.');
  const inApp = (page: string) => `app/${app.app_id}/${page}`;
  return {
    overview: inApp(''),
    compose: inApp('compose'),
    tasks: inApp('tasks'),
    channels: inApp('channels'),
    credentials: inApp('credentials'),
    audit: inApp('audit'),
  };
}

async function measureStart(options: readonly string[]): Promise<number> {
  await using resources = new AsyncDisposableStack();
  const began = performance.now();
  await startDemoProcess(resources, options, { stderr: 'ignore' });
  return (performance.now() - began) / 1_000;
}

/** Signs in, and loads a page in a new window with an empty cache. */
async function measureConsolePaint(browser: Browser, demo: Demo, path: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
  const page = await context.newPage();
  await signIn(page, demo);
  const storageState = await context.storageState();
  await context.close();
  return measurePaint(browser, new URL(path, demo.console_url).href, storageState);
}

async function measurePaint(
  browser: Browser,
  url: string,
  storageState?: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>,
): Promise<number> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    ...(storageState !== undefined && { storageState }),
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  const paint = await page.evaluate<number>(`new Promise((resolve) => {
    let time = 0;
    new PerformanceObserver((list) => { time = list.getEntries().at(-1).startTime; })
      .observe({ type: 'largest-contentful-paint', buffered: true });
    setTimeout(() => resolve(time), ${SETTLED_MS});
  })`);
  await context.close();
  return paint;
}

async function repeated(runs: number, measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let run = 0; run < runs; run++) values.push(await measure());
  return values;
}
