import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chinesePairs } from '../../scripts/docs/chinese-pairs.ts';
import { commandsOf } from '../guides/commands.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Lines at the top of a page in which the link to the other language must be. */
const TOP_LINES = 12;

describe('pages in two languages', () => {
  const pairs = chinesePairs();

  test('include the pages that a new user in China reads first', () => {
    assert.ok(pairs.length >= 16, `${pairs.length} pages are in Chinese`);
  });

  // The home pages have the language menu of the site instead.
  for (const { english, chinese } of pairs.filter((pair) => !pair.english.endsWith('index.md'))) {
    test(`${english} and ${chinese} link to each other`, () => {
      assert.ok(existsSync(join(root, english)), `${english} does not exist`);
      const linkTo = (from: string, to: string, text: string) => `[${text}](${relative(dirname(from), to)})`;
      const top = (page: string) => read(page).split('\n').slice(0, TOP_LINES).join('\n');
      assert.ok(top(english).includes(linkTo(english, chinese, '中文')), linkTo(english, chinese, '中文'));
      assert.ok(top(chinese).includes(linkTo(chinese, english, 'English')), linkTo(chinese, english, 'English'));
    });

    test(`${chinese} has the same commands as ${english}`, () => {
      const commands = (page: string) => commandsOf(page).map(({ text }) => withoutComments(text));
      assert.deepEqual(commands(chinese), commands(english));
    });
  }
});

/** Comments of commands may be translated. */
const withoutComments = (commands: string): string => commands.replace(/(^|\s+)# .*$/gm, '');

describe('npm run docs:translations', () => {
  test('lists an English page that changed after its Chinese counterpart', async () => {
    const clone = await mkdtemp(join(tmpdir(), 'carillon-languages-'));
    const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: clone, encoding: 'utf8' });
    try {
      execFileSync('git', ['clone', '--quiet', root, clone]);
      await writeFile(join(clone, 'README.md'), 'changed\n');
      run('git', '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-am', 'readme: changed');
      const printed = run(process.execPath, 'scripts/translations.ts');
      assert.match(
        printed,
        /^README\.md changed after README\.zh\.md:\n( {2}.+\n)*? {2}[0-9a-f]+ [\d-]+ readme: changed$/m,
      );
    } finally {
      await rm(clone, { recursive: true });
    }
  });
});
