/**
 * The order in which due work is taken: the apps named take turns, beginning with the one that has the least in hand, and
 * of each what has been due the longest. Null: what has been due the longest, whoever's it is. `truth/turns.ts` says the
 * same in SQL.
 */
export function orderByAppTurns<T extends { readonly appId: string; readonly nextAt: number }>(
  due: readonly T[],
  inFlightByApp: ReadonlyMap<string, number> | null,
): T[] {
  const byAge = due.toSorted((a, b) => a.nextAt - b.nextAt);
  if (!inFlightByApp) return byAge;
  const turns = new Map(inFlightByApp);
  return byAge
    .filter(({ appId }) => inFlightByApp.has(appId))
    .map((item) => {
      const turn = (turns.get(item.appId) ?? 0) + 1;
      turns.set(item.appId, turn);
      return { item, turn };
    })
    .sort((a, b) => a.turn - b.turn || a.item.nextAt - b.item.nextAt)
    .map(({ item }) => item);
}
