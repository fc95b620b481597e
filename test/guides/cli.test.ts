import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commandsFor } from './commands.ts';
import { openOperatorShell } from './operator-shell.ts';

describe('the carillon command that docs/reference/cli.md installs', () => {
  test('runs the CLI of this checkout with the Node.js of the checkout, from any directory and with any arguments', async () => {
    assert.equal(commandsFor('cli', 'docs/reference/cli.md').length, 1);
    await using shell = await openOperatorShell({ variables: {} });
    // The path contains no other suitable version of Node.js.
    const path = 'PATH=~/.local/bin:/usr/bin:/bin; cd /';
    const { code, stdout, stderr } = await shell.type(`${path}; command -v carillon; carillon push send --help`);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\/.*\/\.local\/bin\/carillon\nUsage: carillon push send /);
    assert.equal((await shell.type(`${path}; carillon 'no such' command`)).code, 2);
  });
});
