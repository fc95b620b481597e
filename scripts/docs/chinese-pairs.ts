import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the pages that exist in both languages. A Chinese page has the path of the English page below `docs/zh`. */
export function chinesePairs(): { readonly english: string; readonly chinese: string }[] {
  const pages = globSync('docs/zh/**/*.md', { cwd: root }).sort();
  return [
    { english: 'README.md', chinese: 'README.zh.md' },
    ...pages.map((chinese) => ({ english: chinese.replace('docs/zh/', 'docs/'), chinese })),
  ];
}
