import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { cliPath, run } from './support/run-command.ts';

test('simulate runs only the selected simulators, prints their URLs and ends on SIGTERM', async () => {
  const child = spawn(process.execPath, [cliPath, 'simulate', '--json', '--only', 'apns', 'meizu', '--slow-ms', '5'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const facts = JSON.parse(line) as Record<string, { control_url: string }>;
  assert.deepEqual(Object.keys(facts).sort(), ['apns', 'ca_file', 'flyme', 'page_url']);
  assert.equal((await fetch(`${facts.flyme?.control_url}/counts`)).status, 200);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  await assert.rejects(fetch(`${facts.flyme?.control_url}/counts`), 'the simulator is stopped');
});

test('simulate lists the valid port names if --port contains an invalid name', async () => {
  const { code, stderr } = await run(['simulate', '--port', 'apns=8443']);
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^error: --port must have the form name=port, not "apns=8443"\. Names: apns-production, apns-sandbox,/,
  );
});
