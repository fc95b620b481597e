import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const records = globSync('docs/decisions/0*.md', { cwd: root }).sort();

const HEADINGS = ['Context', 'Options considered', 'Decision', 'Consequences'];
const WORDS_MAX = 500;

describe('decision records', () => {
  test('are numbered without a gap', () => {
    assert.ok(records.length >= 45);
    assert.deepEqual(
      records.map((record) => Number(basename(record).slice(0, 4))),
      records.map((_, index) => index + 1),
    );
  });

  for (const record of records) {
    const text = read(record);

    test(`${basename(record)} has a status, a date and the four sections`, () => {
      assert.match(
        text,
        /^# \d{4} .+\n\n- Status: (accepted|superseded by \[\d{4}\]\(\d{4}-[\w-]+\.md\))\n- Date: 20\d\d-\d\d-\d\d\n\n## Context\n/,
      );
      assert.deepEqual(
        [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading),
        HEADINGS,
      );
      const words = text.split(/\s+/).length;
      assert.ok(words >= 100 && words <= WORDS_MAX, `${words} words`);
    });
  }

  test('are listed in the index with their titles', () => {
    const listed = [...read('docs/decisions/README.md').matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(
      ([, ...entry]) => entry,
    );
    const titles = records.map((record) => [/^# (.+)$/m.exec(read(record))?.[1], basename(record)]);
    assert.deepEqual(listed, titles);
  });
});
