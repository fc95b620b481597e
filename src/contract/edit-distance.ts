/**
 * Returns the number of edits between two strings, or undefined if there are more than `editsMax`. An edit inserts,
 * deletes or replaces a character, or swaps two neighbours (Damerau-Levenshtein, optimal string alignment).
 */
export function editDistance(a: string, b: string, editsMax: number): number | undefined {
  if (Math.abs(a.length - b.length) > editsMax) return undefined;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let rowMin = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let edits = Math.min(replaced, (previous[j] as number) + 1, (row[j - 1] as number) + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) edits = Math.min(edits, (beforePrevious[j - 2] as number) + 1);
      row.push(edits);
      rowMin = Math.min(rowMin, edits);
    }
    if (rowMin > editsMax) return undefined;
    [beforePrevious, previous] = [previous, row];
  }
  const distance = previous[b.length] as number;
  return distance <= editsMax ? distance : undefined;
}
