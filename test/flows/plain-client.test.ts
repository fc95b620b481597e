import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('a shell script with curl goes through all six operations against npm run dev', async () => {
  const dev = spawn('npm', ['run', '--silent', 'dev', '--', '--json'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [line] = (await once(createInterface({ input: dev.stdout }), 'line')) as [string];
    const demo = JSON.parse(line) as {
      base_url: string;
      app_id: string;
      admin_token: string;
      users: [{ user_id: number; name: string; password: string }];
    };
    const [user] = demo.users;
    const { stdout } = await promisify(execFile)(`${root}/test/flows/plain-client.sh`, {
      timeout: 60_000,
      env: {
        PATH: process.env.PATH,
        BASE_URL: demo.base_url,
        APP_ID: demo.app_id,
        ADMIN_TOKEN: demo.admin_token,
        USER_ID: user.user_id.toString(),
        USER_NAME: user.name,
        EMAIL: `${user.name}@example.com`,
        PASSWORD: user.password,
      },
    });
    assert.match(stdout, /^all six operations answered as described; task \d+\n$/);
  } finally {
    dev.kill('SIGTERM');
    await once(dev, 'exit');
  }
});
