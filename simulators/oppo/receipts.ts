import type { Corruption, Post, Receipt, ReceiptAddress } from '../kit/receipts.ts';

const OLD_MS = 10 * 60 * 1000;

/** Names of OPPO's events, by the number that the control API uses for them. */
export const events: Readonly<Record<number, string>> = {
  1: 'push_arrive',
  2: 'regid_invalid',
  3: 'user_daily_limit',
};
const DELIVERED = 1;

/** Event by token prefix, for tokens that are accepted but not delivered. Other tokens are delivered. */
const eventOfName: Readonly<Record<string, number>> = { gone: 2, capped: 3 };

export function eventOf(token: string): number {
  return eventOfName[/^(\w+)-/.exec(token)?.[1] ?? ''] ?? DELIVERED;
}

/** Returns an unsigned list of events. V2 is the format observed in 2019, without optional fields. */
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
