/**
 * The order in which due work is taken: the apps named take turns, beginning with the one that has the least in hand, and
 * of each what has been due the longest. Null: what has been due the longest, whoever's it is. `truth/turns.ts` says the
 * same in SQL.
 */
export function inTurns<T extends { readonly appId: string; readonly nextAt: number }>(
  due: readonly T[],
  inHand: ReadonlyMap<string, number> | null,
): T[] {
  const byAge = due.toSorted((a, b) => a.nextAt - b.nextAt);
  if (!inHand) return byAge;
  const turns = new Map(inHand);
  return byAge
    .filter(({ appId }) => inHand.has(appId))
    .map((item) => {
      const turn = (turns.get(item.appId) ?? 0) + 1;
      turns.set(item.appId, turn);
      return { item, turn };
    })
    .sort((a, b) => a.turn - b.turn || a.item.nextAt - b.item.nextAt)
    .map(({ item }) => item);
}
