import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('fuzz/run.ts', import.meta.url));

test('300,000 mutated packets only end sessions and leave no state behind', async () => {
  const run = spawn(process.execPath, [program], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(run, 'exit')) as [number | null];
  assert.equal(code, 0, 'the failing seeds are printed above');
});
