/**
 * Returns due work in the order in which it is claimed. The listed apps take turns, starting with the app that has the
 * least work in flight. Within an app, the item that has been due the longest comes first. If `inFlightByApp` is null,
 * all items are ordered by due time only. `src/storage/ledger/app-turns.ts` has the same order in SQL.
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
