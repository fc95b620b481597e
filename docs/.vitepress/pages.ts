/** Where Chinese pages are on the site. Not as their folder is named: see `oneIndexForAll`. */
export const CHINESE = 'zh-cn';

/** Folders of the repository whose Markdown is not for the site. */
export const notPages = ['{.ci,bench,cli,coverage,deploy,scripts,src,test}/**'];

/** Where a page of the repository is on the site: `docs/` is its root, and a README is the first page of its folder. */
export function addressOf(page: string): string {
  if (page === 'README.md') return 'overview.md';
  if (page === 'README.zh.md') return `${CHINESE}/overview.md`;
  return page
    .replace(/^(docs|examples)\//, '')
    .replace(/^zh\//, `${CHINESE}/`)
    .replace(/README\.md$/, 'index.md')
    .toLowerCase();
}
