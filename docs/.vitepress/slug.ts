/**
 * Returns the anchor of a heading in the form that repository viewers use, so that links to sections work both in a
 * viewer and on the site.
 */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}
