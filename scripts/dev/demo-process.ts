import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Demo } from './show-demo.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts `npm run dev` with new data, and returns when it is ready. The data is deleted at the end. */
export async function startDemoProcess(
  resources: AsyncDisposableStack,
  options: readonly string[] = ['--demo'],
  { env = {}, stderr = 'inherit' }: { readonly env?: NodeJS.ProcessEnv; readonly stderr?: 'inherit' | 'ignore' } = {},
): Promise<Demo> {
  const dev = spawn(process.execPath, ['scripts/dev.ts', '--json', '--temporary', ...options], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', stderr],
  });
  resources.defer(async () => {
    dev.kill('SIGTERM');
    await once(dev, 'exit');
  });
  const failed = once(dev, 'exit').then(([code]) => Promise.reject(new Error(`The demo ended with code ${code}.`)));
  const started = once(createInterface({ input: dev.stdout }), 'line') as Promise<[string]>;
  const [line] = await Promise.race([started, failed]);
  failed.catch(() => undefined); // the demo ends with the caller
  return JSON.parse(line) as Demo;
}

/** Starts Chromium, from the variable CHROMIUM or Debian's package. */
export async function startBrowser(resources: AsyncDisposableStack): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  resources.defer(() => browser.close());
  return browser;
}

/** Signs in to the console as the operator of the demo. */
export async function signIn(page: Page, { console_url, operator }: Demo): Promise<void> {
  await page.goto(console_url);
  await page.getByLabel('Email').fill(operator.email);
  await page.locator('input[type=password]').fill(operator.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
}
