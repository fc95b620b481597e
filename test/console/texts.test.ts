import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { channelNamesZh } from '#src/domain/trace/texts-zh.ts';
import { en } from '../../console/src/shared/i18n/en.ts';
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
    const code = files.map((file) => readFileSync(join(sources, file), 'utf8')).join('\n');
    const literals = new Set([...code.matchAll(/['`]([\w.-]+)['`]/g)].map(([, literal]) => literal));
    // The last part of a key can come from a value, such as a state.
    const prefixes = [...code.matchAll(/`([\w.]+\.)\$\{/g)].map(([, prefix]) => prefix as string);
    const unused = [...english.keys()].filter((key) => {
      const base = key.replace(/_(one|other)$/, '');
      return !literals.has(base) && !prefixes.some((prefix) => base.startsWith(prefix));
    });
    assert.deepEqual(unused, []);
  });
});
