import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandsFor } from './commands.ts';
import { runCommands } from './run-commands.ts';

test('the commands of simulators/README.md send to a simulator, read the received notifications, and inject a fault', async () => {
  const outputs = await runCommands(commandsFor('simulators', 'simulators/README.md'));
  assert.deepEqual(outputs, ['', 'dead-1\nlive-1\n', '502\n']);
});
