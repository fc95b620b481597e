import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { problems } from '#src/domain/problem.ts';
import { channelNamesZh } from '#src/domain/trace/texts-zh.ts';
import { en } from '../../console/src/shared/i18n/en.ts';
import { errorsZh } from '../../console/src/shared/i18n/errors-zh.ts';
import { startEn } from '../../console/src/shared/i18n/start-en.ts';
import { zh } from '../../console/src/shared/i18n/zh.ts';

const sources = fileURLToPath(new URL('../../console/src', import.meta.url));

/** Returns every text by its key, such as `tasks.title`. */
function textsOf(node: object, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(node).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' ? [[prefix + key, value]] : [...textsOf(value as object, `${prefix}${key}.`)],
    ),
  );
}

const placeholdersIn = (text = ''): string[] => [...text.matchAll(/\{\{\w+\}\}/g)].map(([name]) => name).sort();

/** Returns a function that returns whether a file uses the text with a key. */
function usesIn(files: readonly string[]): (key: string) => boolean {
  const code = files.map((file) => readFileSync(join(sources, file), 'utf8')).join('\n');
  const literals = new Set([...code.matchAll(/['`]([\w.-]+)['`]/g)].map(([, literal]) => literal));
  // The last part of a key can come from a value, such as a state.
  const prefixes = [...code.matchAll(/`([\w.]+\.)\$\{/g)].map(([, prefix]) => prefix as string);
  return (key) => {
    const base = key.replace(/_(one|other)$/, '');
    return literals.has(base) || prefixes.some((prefix) => base.startsWith(prefix));
  };
}

describe('the texts of the console', () => {
  const english = textsOf(en);
  const chinese = textsOf(zh);

  test('have the same keys and placeholders in both languages', () => {
    assert.ok(english.size > 150);
    assert.deepEqual([...chinese.keys()].sort(), [...english.keys()].sort());
    for (const [key, text] of english) assert.deepEqual(placeholdersIn(chinese.get(key)), placeholdersIn(text), key);
  });

  test('name the channels as the explanations of the API do', () => {
    assert.deepEqual(zh.channel, channelNamesZh);
  });

  test('explain every error code in Chinese that an operator can see', () => {
    // Calls without a session lead to the sign-in page, and the console calls no missing operations.
    const unseen = new Set([402, 10003, 10006, 10008]);
    const codes = new Set(Object.values(problems).map(({ code }) => code));
    assert.deepEqual(
      Object.keys(errorsZh).map(Number),
      [...codes].filter((code) => !unseen.has(code)).sort((one, other) => one - other),
    );
  });

  test('are not empty, and the Chinese texts are Chinese except for names', () => {
    for (const text of [...english.values(), ...chinese.values()]) assert.notEqual(text.trim(), '');
    const names = [...chinese].filter(([key, text]) => !/\p{Script=Han}/u.test(text) && text === english.get(key));
    assert.deepEqual(
      names.map(([key]) => key),
      ['apns', 'vivo', 'oppo', 'fcm', 'harmony', 'webpush'].map((channel) => `channel.${channel}`),
    );
  });

  test('are all used', () => {
    const files = globSync('**/*.{ts,tsx}', { cwd: sources }).filter((file) => !file.startsWith('shared/i18n'));
    const isUsed = usesIn(files);
    assert.deepEqual(
      [...english.keys()].filter((key) => !isUsed(key)),
      [],
    );
  });

  test('of the frame, the sign-in and the overview are loaded first', () => {
    const start = textsOf(startEn);
    const files = new Set<string>();
    const visit = (file: string) => {
      if (files.has(file)) return;
      files.add(file);
      const code = readFileSync(join(sources, file), 'utf8');
      for (const [, path = ''] of code.matchAll(/^import (?!type )[^;]*?'(\.[^']+\.tsx?)';$/gm)) {
        const imported = join(dirname(file), path);
        if (!imported.startsWith('..')) visit(imported);
      }
    };
    const pages = ['sign-in/sign-in-page.tsx', 'overview/overview-page.tsx', 'overview/history/daily-chart.tsx'];
    ['main.tsx', ...pages.map((page) => `pages/${page}`)].forEach(visit);
    assert.ok(files.size > 30);
    const isUsed = usesIn([...files]);
    assert.deepEqual(
      [...english.keys()].filter((key) => isUsed(key) && !start.has(key)),
      [],
    );
  });
});
