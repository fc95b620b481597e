import type { Notification } from './vendor.ts';

/**
 * Groups the indexes of sends into requests. Only sends of the same slice share a request, because they differ only in
 * their token.
 */
export function batchesOf(
  sends: readonly { readonly notification: Pick<Notification, 'reference'> }[],
  tokensPerRequest: number,
): number[][] {
  const indexes = [...sends.keys()];
  if (tokensPerRequest === 1) return indexes.map((index) => [index]);
  const slices = Map.groupBy(indexes, (index) => sends[index]?.notification.reference);
  return [...slices.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / tokensPerRequest) }, (_, i) =>
      group.slice(i * tokensPerRequest, (i + 1) * tokensPerRequest),
    ),
  );
}
