import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chinesePairs } from './docs/chinese-pairs.ts';

// `npm run docs:translations` lists the English pages that changed after their Chinese counterpart, with the commits to
// carry over.

const root = fileURLToPath(new URL('..', import.meta.url));
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd();

const stale = chinesePairs().flatMap(({ english, chinese }) => {
  const translated = git('log', '-1', '--format=%H', '--', chinese);
  const commits = translated === '' ? '' : git('log', '--format=  %h %as %s', `${translated}..HEAD`, '--', english);
  return commits === '' ? [] : [`${english} changed after ${chinese}:\n${commits}`];
});
console.log(stale.length === 0 ? 'No English page changed after its Chinese counterpart.' : stale.join('\n'));
