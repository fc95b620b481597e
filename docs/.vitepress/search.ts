import { CHINESE } from './pages.ts';

/**
 * Splits a text into search terms. Chinese has no spaces, so every two adjacent characters are a term, and a single
 * character is found as the start of a term. The browser receives this function as source text, so the function must be
 * self-contained.
 */
export function tokenize(text: string): string[] {
  return text.split(/[\n\r\p{Z}\p{P}]+/u).flatMap((word) => {
    const runs = word.match(/\p{Script=Han}+|\P{Script=Han}+/gu) ?? [];
    return runs.flatMap((run) => {
      const characters = [...run];
      if (characters.length < 2 || !/\p{Script=Han}/u.test(run)) return [run];
      return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
    });
  });
}

/**
 * Returns the weight of a page in the search results. Chinese pages come after English ones for a reader of English, and
 * decision records come last, because few readers look for them. A reader of Chinese also needs the English reference.
 * The browser receives this function as source text, so the function must be self-contained.
 */
export function boostDocument(id: string): number {
  if (id.startsWith('/decisions/')) return 0.2;
  return id.startsWith('/zh-cn/') && !globalThis.location.pathname.startsWith('/zh-cn/') ? 0.3 : 1;
}

/**
 * Uses one search index for all languages. VitePress builds an index per language and derives the language from a
 * page's path in the repository. These paths do not match any language, so all pages are in the first index. Searches
 * in both languages use this index and find Chinese and English pages.
 */
export const oneIndexForAll = {
  name: 'one-index-for-all',
  transform: (code: string, id: string) =>
    id === '/@localSearchIndex'
      ? code.replace('{', `{'${CHINESE}': () => import('@localSearchIndexroot'),`)
      : undefined,
};
