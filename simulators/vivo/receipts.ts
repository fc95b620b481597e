import type { Corruption, Post, Receipt, ReceiptAddress } from '../kit/receipts.ts';

const ARRIVED = 0;
const OLD_MS = 10 * 60 * 1000;

/**
 * Values of `ackType` by token prefix, for tokens that are accepted but not delivered. vivo's own values are not
 * public, so these are invented.
 */
const ackTypeOfName: Readonly<Record<string, number>> = { hidden: 1, capped: 2 };

export function ackTypeOf(token: string): number {
  return ackTypeOfName[/^(\w+)-/.exec(token)?.[1] ?? ''] ?? ARRIVED;
}

/**
 * Returns vivo's callback: an object with one entry per task, whose tokens are separated by commas. The older format
 * (V1) contains only deliveries and has no `ackType`. Callbacks are not signed. `param` is null if the message has no
 * `callback.param`.
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
