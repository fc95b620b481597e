import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { commandsOf } from './commands.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = globSync('{*.md,docs/**/*.md,simulators/*.md,sdk/*.md,examples/*/*.md}', { cwd: root });

describe('commands in the documentation', () => {
  const blocks = pages.flatMap((page) => commandsOf(page).map((block) => ({ page, ...block })));

  test('each block names the guide that runs it, or the reason why no guide runs it', () => {
    assert.ok(blocks.length > 30, `${blocks.length} blocks were found`);
    const fences = pages.flatMap(
      (page) => readFileSync(join(root, page), 'utf8').match(/^```(sh|bash|shell)\b/gm) ?? [],
    );
    assert.equal(blocks.length, fences.length, 'no block is missed');
    const unmarked = blocks.filter(({ guide, skipReason }) => guide === undefined && skipReason === undefined);
    assert.deepEqual(
      unmarked.map(({ page, text }) => `${page}: ${text.split('\n')[0]}`),
      [],
      'write <!-- run: guide --> or <!-- not run: reason --> above the block',
    );
  });

  test('each named guide reads that page', () => {
    const named = new Set(blocks.flatMap(({ page, guide }) => (guide === undefined ? [] : [`${guide} ${page}`])));
    assert.ok(named.size > 3);
    const unread = [...named].filter((pair) => {
      const [guide, page = ''] = pair.split(' ');
      const file = join(root, `test/guides/${guide}.test.ts`);
      return !existsSync(file) || !readFileSync(file, 'utf8').includes(`'${page}'`);
    });
    assert.deepEqual(unread, []);
  });

  test('Chinese pages have the same commands as the English pages', () => {
    const commands = (page: string) => commandsOf(page).map(({ text }) => text);
    assert.deepEqual(commands('docs/zh/start/quickstart.md'), commands('docs/start/quickstart.md'));
    assert.deepEqual(commands('README.zh.md'), commands('README.md'));
  });
});
