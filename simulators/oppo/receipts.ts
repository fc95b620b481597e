import type { Corruption, Post, Receipt, ReceiptAddress } from '../kit/receipts.ts';

const OLD_MS = 10 * 60 * 1000;

/** OPPO's events have names; the control API calls them by these numbers. */
export const events: Readonly<Record<number, string>> = {
  1: 'push_arrive',
  2: 'regid_invalid',
  3: 'user_daily_limit',
};
const DELIVERED = 1;

/** Names of tokens that are accepted and then come to nothing; any other is delivered. */
const eventOfName: Readonly<Record<string, number>> = { gone: 2, capped: 3 };

export function eventOf(token: string): number {
  return eventOfName[/^(\w+)-/.exec(token)?.[1] ?? ''] ?? DELIVERED;
}

/** A list of events. V2 is what was seen in 2019, with nothing that may be left out. Nothing is signed. */
export function toPost(receipts: readonly Receipt[], { version }: ReceiptAddress, { isOld }: Corruption): Post {
  const agedMs = isOld ? OLD_MS : 0;
  const list = receipts.map(({ appId, token, biTag, requestId, status, atMs }) => ({
    messageId: requestId,
    appId,
    taskId: version === 'V1' ? requestId : '0000',
    registrationIds: token,
    ...(version === 'V1' && { eventTime: String(atMs - agedMs), param: biTag }),
    eventType: events[status] ?? `event_${status}`,
  }));
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(list) };
}
