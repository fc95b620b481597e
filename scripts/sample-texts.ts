import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { textsOf } from '../test/tidy/texts.ts';

// `node scripts/sample-texts.ts --seed 1 --count 100`: prints a random sample of sentences for a manual review. They
// come from comments, test names, declarations and product texts; with `--from docs` or `--from chinese`, from the
// pages of that language. The same seed selects the same sentences from the same tree.

const NAMES_SHARE = 0.2;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    from: { type: 'string', default: 'code' },
  },
});
const random = mulberry32(Number(values.seed));
const count = Number(values.count);

const isChinese = (file: string) => /^docs\/zh\/.*\.md$|^README\.zh\.md$/.test(file);
const isPage = (file: string) => /^docs\/.*\.md$|^README\.md$/.test(file) && !isChinese(file);
const isCode = (file: string) => /\.(ts|sql|sh|yaml|yml|md)$/.test(file) && !/^docs\/|\/generated\//.test(file);
const belongs = { code: isCode, docs: isPage, chinese: isChinese }[values.from];
if (!belongs) throw new Error(`--from is code, docs or chinese, not ${values.from}.`);

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(belongs);
const sentences = files.flatMap((file) =>
  textsOf(file, readFileSync(file, 'utf8'), { keepQuotations: true })
    .filter(({ kind, text }) => kind !== 'string' || /[a-z] [a-z]+ [a-z]/.test(text))
    .filter(({ text }) => !/^\s*(select|insert|update|delete|with|create)\b/i.test(text))
    .flatMap(({ line, kind, text }) => sentencesOf(text).map((sentence) => `${file}:${line} (${kind}) ${sentence}`)),
);
const names = files
  .filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^.*\b(?:function|const|class|interface|type|readonly) #?\w{3,}.*$/gm)].map(
      ([line]) => `${file} (name) ${line.trim().slice(0, 120)}`,
    ),
  );

const drawnNames = draw(names, values.from === 'code' ? Math.round(count * NAMES_SHARE) : 0);
for (const [index, text] of [...draw(sentences, count - drawnNames.length), ...drawnNames].entries())
  console.log(`${index + 1}. ${text}`);

function sentencesOf(text: string): string[] {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?])\s+(?=[A-Z`])|(?<=[。！？])/)
    .filter((sentence) => sentence.split(' ').length >= 3 || /\p{Script=Han}{6}/u.test(sentence));
}

function draw(pool: readonly string[], size: number): string[] {
  const rest = [...pool];
  return Array.from({ length: Math.min(size, rest.length) }, () => {
    const [drawn] = rest.splice(Math.floor(random() * rest.length), 1);
    return drawn as string;
  });
}

/** A small seeded generator of numbers in [0, 1), so that a sample can be reproduced. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
