import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Demo } from '../../scripts/dev/show-demo.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The parts of the checkout that `npx carillon` needs. */
const CHECKOUT_PARTS = ['package.json', 'node_modules', 'cli', 'sdk', 'src', 'simulators', 'scripts'];

/** Starts `npm run dev` without writing `.dev.env`, because another demo may be running in this checkout. */
export async function startDemo(): Promise<AsyncDisposable & { readonly facts: Demo }> {
  const command = ['run', '--silent', 'dev', '--', '--json', '--temporary'];
  const dev = spawn('npm', command, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const exit = once(dev, 'exit');
  const [line] = await Promise.race([
    once(createInterface({ input: dev.stdout }), 'line') as Promise<[string]>,
    exit.then(([code]) => assert.fail(`npm run dev exited with code ${code}`)),
  ]);
  return {
    facts: JSON.parse(line) as Demo,
    async [Symbol.asyncDispose]() {
      dev.kill('SIGTERM');
      await exit;
    },
  };
}

/** Creates a directory with the parts of the checkout that commands use, and a `.dev.env` with the values of the demo. */
export async function createCheckout({
  base_url,
  app_id,
  admin_token,
}: Demo): Promise<AsyncDisposable & { readonly directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'carillon-guide-'));
  for (const part of CHECKOUT_PARTS) await symlink(join(root, part), join(directory, part));
  const variables = { CARILLON_URL: base_url, CARILLON_APP_ID: app_id, CARILLON_ADMIN_TOKEN: admin_token };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
  await writeFile(join(directory, '.dev.env'), lines.join(''));
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
}
