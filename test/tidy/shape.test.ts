import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findShapes } from './shape.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = globSync(['*.md', 'docs/**/*.md', '{sdk,migrations,examples/*}/README.md'], { cwd: root });

describe('the shape of pages', () => {
  test('guides are short, table cells are short, and lines fit a terminal', () => {
    assert.ok(pages.length > 100);
    const found = pages.flatMap((page) =>
      findShapes(page, readFileSync(join(root, page), 'utf8')).map((finding) => `${page}: ${finding}`),
    );
    assert.deepEqual(found, []);
  });

  test('is measured outside code, generated tables and link targets', () => {
    const long = 'word '.repeat(1_201);
    const cell = 'word '.repeat(16);
    assert.deepEqual(findShapes('docs/start/x.md', `${long.replaceAll(' ', '\n')}`), ['1201 words, at most 1200']);
    assert.deepEqual(findShapes('docs/reference/x.md', `${long.replaceAll(' ', '\n')}`), []);
    assert.deepEqual(findShapes('docs/start/x.md', `| a | ${cell}|`), [`long cell: ${cell.trim()}`]);
    assert.deepEqual(findShapes('docs/start/x.md', `<!-- fields:begin -->\n| a | ${cell}|\n<!-- fields:end -->`), []);
    assert.deepEqual(findShapes('docs/start/x.md', `\`\`\`sh\n${long}\n\`\`\``), []);
    assert.deepEqual(findShapes('docs/start/x.md', 'x'.repeat(121)), [`long line: ${'x'.repeat(60)}…`]);
    assert.deepEqual(findShapes('docs/zh/start/x.md', `| a | ${'字'.repeat(31)} |`), [`long cell: ${'字'.repeat(31)}`]);
  });
});
