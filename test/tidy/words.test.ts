import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Text, textsOf } from './texts.ts';
import { findWords } from './words.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files that contain no text by this project, or whose text is not English prose. */
const notProse = /(^|\/)(package-lock\.json|LICENSE|.*\.(json|svg|css))$|^test\/tidy\/words(\.test)?\.ts$/;

/** Exceptions: a file, a word and the reason why the word stays. */
const allowed: readonly { readonly file: RegExp; readonly word: RegExp; readonly reason: string }[] = [
  { file: /^src\/contract\/push\/notify\.ts$/, word: /^doors$/, reason: 'a sample notification about a concert' },
  { file: /^migrations\/home\/0010/, word: /^anew$/, reason: 'a migration is not edited after it was merged' },
  { file: /^test\/faults\/commit\.test\.ts$/, word: /^nobody$/, reason: 'the name of a standby that does not exist' },
];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && !notProse.test(file) && existsSync(join(root, file)));

function wordsIn(file: string): string[] {
  return textsOf(file, readFileSync(join(root, file), 'utf8')).flatMap((text: Text) =>
    findWords(text)
      .filter((word) => !allowed.some((exception) => exception.file.test(file) && exception.word.test(word)))
      .map((word) => `${file}:${text.line} ${text.kind}: ${word}`),
  );
}

describe('words that the writing guide replaces', () => {
  test('do not occur in code, comments, test names, documents or texts of the product', () => {
    assert.deepEqual(files.flatMap(wordsIn), []);
  });

  test('are found in comments, strings, test names and lines, but not in quotations, code or questions', () => {
    const source = [
      '// Nobody hears it. What is revoked is refused. Who is there? It prints `told`, or "told".',
      "test('what is revoked is refused', () => refuse('This door is shut.'));",
    ].join('\n');
    assert.deepEqual(
      textsOf('x.ts', source).map((text) => [text.kind, ...findWords(text)]),
      [
        ['comment', 'nobody', 'hears', 'What is revoked is refused.'],
        ['test name', 'what is revoked is refused'],
        ['string', 'door', 'shut'],
      ],
    );
    const page = '# What it does\n\n```sh\nwhoever\n```\n| `told` | told |\n';
    assert.deepEqual(textsOf('x.md', page).flatMap(findWords), ['What it does', 'told']);
  });
});
