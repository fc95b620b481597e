import { CHINESE } from './pages.ts';

/**
 * The words of a text. Chinese has no spaces, so every two neighbouring characters are a word; a single one is found as
 * the beginning of such a pair. The browser gets this function as text: it must need nothing from outside.
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
 * VitePress indexes each language for itself, and looks for the language in a page's path in the repository, where it finds
 * none. So all pages are in the first index, which suits us: the few Chinese pages and the many English ones are found from both.
 */
export const oneIndexForAll = {
  name: 'one-index-for-all',
  transform: (code: string, id: string) =>
    id === '/@localSearchIndex'
      ? code.replace('{', `{'${CHINESE}': () => import('@localSearchIndexroot'),`)
      : undefined,
};
