import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chinesePairs } from '../../scripts/docs/chinese-pairs.ts';
import { commandsFor, commandsOf } from './commands.ts';

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

  test('each named guide reads that page, or the English page with the same commands', () => {
    const named = new Set(blocks.flatMap(({ page, guide }) => (guide === undefined ? [] : [`${guide} ${page}`])));
    assert.ok(named.size > 3);
    const englishOf = new Map(chinesePairs().map(({ english, chinese }) => [chinese, english]));
    const unread = [...named].filter((pair) => {
      const [guide = '', page = ''] = pair.split(' ');
      const file = join(root, `test/guides/${guide}.test.ts`);
      if (!existsSync(file)) return true;
      const source = readFileSync(file, 'utf8');
      if (source.includes(`'${page}'`)) return false;
      const english = englishOf.get(page);
      if (english === undefined || !source.includes(`'${english}'`)) return true;
      assert.deepEqual(commandsFor(guide, page), commandsFor(guide, english));
      return false;
    });
    assert.deepEqual(unread, []);
  });

  test('Chinese pages have the same commands as the English pages', () => {
    const commands = (page: string) => commandsOf(page).map(({ text }) => text);
    for (const page of ['quickstart', 'first-notification'])
      assert.deepEqual(commands(`docs/zh/start/${page}.md`), commands(`docs/start/${page}.md`));
    assert.deepEqual(commands('README.zh.md'), commands('README.md'));
  });
});
