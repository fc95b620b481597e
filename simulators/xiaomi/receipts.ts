import type { Corruption, Post, Receipt, ReceiptAddress } from '../kit/receipts.ts';

export const DELIVERED = 1;
export const BAD_TARGET = 16;
const OVER_QUOTA = 128;
const OLD_MS = 10 * 60 * 1000;

/** Receipt type by token prefix, for tokens that are accepted but not delivered. Other tokens are delivered. */
const receiptTypeOfPrefix: Readonly<Record<string, number>> = {
  gone: BAD_TARGET,
  moved: BAD_TARGET,
  muted: 32,
  filtered: 64,
  capped: OVER_QUOTA,
  late: 1024,
};

export function receiptTypeOf(token: string): number {
  return receiptTypeOfPrefix[/^(\w+)-/.exec(token)?.[1] ?? ''] ?? DELIVERED;
}

/**
 * Returns Xiaomi's callback: a form with one field, a JSON object with one entry per message id. Each entry has one
 * type and one param, so receipts that differ in type or param must be sent separately. Callbacks are not signed.
 */
export function toPost(receipts: readonly Receipt[], _address: ReceiptAddress, { isOld }: Corruption): Post {
  const byMessage = Map.groupBy(receipts, ({ requestId }) => requestId);
  const entries = [...byMessage].map(([id, group]) => [id, toEntry(group, isOld ? OLD_MS : 0)]);
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ data: JSON.stringify(Object.fromEntries(entries)) }).toString(),
  };
}

function toEntry(group: readonly Receipt[], agedMs: number): object {
  const [{ biTag, status, atMs } = { biTag: '', status: 0, atMs: 0 }] = group;
  const moved = group.filter(({ token }) => token.startsWith('moved-')).map(({ token }) => [token, `${token}-anew`]);
  return {
    param: biTag,
    type: status,
    targets: group.map(({ token }) => token).join(','),
    barStatus: 'Enable',
    timestamp: atMs - agedMs,
    ...(status === BAD_TARGET && { errorCode: 1 }),
    ...(status === BAD_TARGET && moved.length > 0 && { replaceTarget: Object.fromEntries(moved) }),
    ...(status === OVER_QUOTA && { extra: { ack: '10000', quota: '10000' } }),
  };
}
