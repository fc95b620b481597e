import type { Corruption, Post, Receipt, ReceiptAddress } from '../kit/receipts.ts';

const ARRIVED = 0;
const OLD_MS = 10 * 60 * 1000;

/** Names of tokens that are accepted and then come to nothing. vivo's own numbers for that are not public; these are not. */
const ackTypeOfName: Readonly<Record<string, number>> = { hidden: 1, capped: 2 };

export function ackTypeOf(token: string): number {
  return ackTypeOfName[/^(\w+)-/.exec(token)?.[1] ?? ''] ?? ARRIVED;
}

/**
 * vivo's callback: an object with an entry for each task, several tokens with commas between them. The older form (V1)
 * tells of arrivals alone and has no `ackType`. Nothing is signed. What the sender did not give along is null.
 */
export function toPost(receipts: readonly Receipt[], { version }: ReceiptAddress, { isOld }: Corruption): Post {
  const reportable = version === 'V1' ? receipts.filter(({ status }) => status === ARRIVED) : receipts;
  const entries = [...Map.groupBy(reportable, ({ requestId }) => requestId)].map(([taskId, group]) => {
    const { biTag, status, atMs } = group[0] as Receipt;
    const entry = { param: biTag === '' ? null : biTag, targets: group.map(({ token }) => token).join(',') };
    const ack = { ackType: String(status), ackTime: atMs - (isOld ? OLD_MS : 0) };
    return [taskId, version === 'V1' ? entry : { ...entry, ...ack }] as const;
  });
  const headers = { 'content-type': 'application/json;charset=UTF-8' };
  return { headers, body: JSON.stringify(Object.fromEntries(entries)) };
}
