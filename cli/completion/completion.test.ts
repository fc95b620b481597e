import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createProgram } from '../program.ts';
import { bashScript } from './bash.ts';
import { commandTreeOf } from './command-tree.ts';
import { zshScript } from './zsh.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-completion-'));
after(() => rmSync(folder, { recursive: true }));
const tree = commandTreeOf(createProgram());
for (const [name, text] of [
  ['bash', bashScript(tree)],
  ['zsh', zshScript(tree)],
  ['notification.json', '{}'],
] as const)
  writeFileSync(join(folder, name), text);

/** Returns the completions that bash offers for the last word. The words must be split as bash splits them. */
function completions(...words: string[]): string[] {
  const program = `source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _carillon; printf "%s\\n" "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['--norc', '-uc', program, 'bash', 'carillon', ...words], { cwd: folder });
  return output.toString().split('\n').filter(Boolean);
}

describe('bash completion', () => {
  test('completes commands and subcommands', () => {
    assert.deepEqual(completions('pu'), ['push']);
    assert.ok(completions('').includes('doctor'));
    const taskCommands = ['watch', 'detail', 'list', 'report', 'trace', 'cancel', 'quarantined', 'retry'];
    assert.deepEqual(completions('task', ''), taskCommands);
    assert.deepEqual(completions('completion', ''), ['bash', 'zsh']);
    assert.deepEqual(completions('vendor', 'probe', 'h'), ['harmony', 'honor', 'huawei']);
    assert.deepEqual(completions('certificate', 'check', '--provider', 'me'), ['meizu']);
  });

  test('completes after options whose values look like commands or are split into words', () => {
    assert.deepEqual(completions('--app', 'push', 'ta'), ['task']);
    assert.deepEqual(completions('--url', 'http', ':', '//127.0.0.1', ':', '8080', 'task', 'w'), ['watch']);
    assert.deepEqual(completions('--json', 'task', 'w'), ['watch']);
  });

  test('completes options of the command and global options', () => {
    assert.deepEqual(completions('push', 'send', '--tit'), ['--title']);
    assert.deepEqual(completions('push', 'send', '--title', 'x', '--dr'), ['--dry-run']);
    assert.deepEqual(completions('task', 'watch', '7', '--js'), ['--json']);
    assert.deepEqual(completions('vendor', 'probe', 'huawei', '--bad'), ['--bad-token']);
    // A command without subcommands offers its options.
    assert.ok(completions('task', 'trace', '').includes('--user-id'));
  });

  test('completes the choices of an option, including those for its second value', () => {
    assert.deepEqual(completions('push', 'send', '--type', ''), ['text', 'image', 'cmd']);
    assert.deepEqual(completions('push', 'send', '--vendors', 'ups', 'f'), ['fcm']);
    assert.deepEqual(completions('app', 'update', '--registration', 't'), ['true']);
    assert.deepEqual(completions('push', 'send', '--title', ''), []);
  });

  test('completes files after @, whether bash splits the word or not', () => {
    assert.deepEqual(completions('push', 'send', '--request', '@', 'noti'), ['@notification.json']);
    assert.deepEqual(completions('push', 'send', '--request', '@noti'), ['@notification.json']);
  });
});

test('offers every option of every command', () => {
  assert.ok(tree.length > 60);
  for (const place of tree)
    assert.deepEqual(
      completions(...place.path.split(' ').filter(Boolean), '--'),
      place.options.map(({ word }) => word),
    );
});

test('the zsh script is valid and offers the same completions as bash', {
  skip: spawnSync('zsh', ['-c', 'true']).error !== undefined,
}, () => {
  execFileSync('zsh', ['-n', join(folder, 'zsh')]);
  // zsh's completion functions work only inside its line editor, so the script replaces them with functions that print
  // the words.
  const program = `
    compdef() { :; }; compset() { :; }; _files() { echo FILES; }
    compadd() { shift; print -l -- "$@"; }
    _describe() { local name="\${@[-1]}"; print -l -- "\${(@P)name%%:*}"; }
    source ./zsh; words=("$@"); CURRENT=$#; _carillon; true`;
  const offered = (...words: string[]) =>
    execFileSync('zsh', ['-fc', program, 'zsh', 'carillon', ...words], { cwd: folder })
      .toString()
      .split('\n')
      .filter(Boolean);
  assert.deepEqual(offered('task', ''), completions('task', ''));
  assert.deepEqual(offered('--app', 'push', ''), completions(''));
  assert.deepEqual(offered('push', 'send', '-'), completions('push', 'send', '-'));
  assert.deepEqual(offered('push', 'send', '--type', ''), ['text', 'image', 'cmd']);
  assert.deepEqual(
    offered('push', 'send', '--vendors', 'ups', ''),
    completions('push', 'send', '--vendors', 'ups', ''),
  );
  assert.deepEqual(offered('push', 'send', '--title', ''), []);
  assert.deepEqual(offered('push', 'send', '--request', '@no'), ['FILES']);
});
