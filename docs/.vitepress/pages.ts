/** Path of the Chinese pages on the site. It must differ from the name of their folder: see `oneIndexForAll`. */
export const CHINESE = 'zh-cn';

/** Folders whose Markdown files are not part of the site. */
export const notPages = ['{.ci,bench,cli,coverage,deploy,scripts,src,test}/**'];

/**
 * Returns the site path of a page of the repository. The prefixes `docs/` and `examples/` are removed. The README of
 * the repository becomes the overview, and the README of a folder becomes its index page.
 */
export function addressOf(page: string): string {
  if (page === 'README.md') return 'overview.md';
  if (page === 'README.zh.md') return `${CHINESE}/overview.md`;
  return page
    .replace(/^(docs|examples)\//, '')
    .replace(/^zh\//, `${CHINESE}/`)
    .replace(/README\.md$/, 'index.md')
    .toLowerCase();
}
