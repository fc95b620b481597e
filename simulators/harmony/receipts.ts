import { createHmac, randomUUID } from 'node:crypto';
import type { Corruption, Post, Receipt, ReceiptAddress } from '../kit/receipts.ts';

const DELIVERED = 0;
/** The phone has received its marketing messages of the day. */
export const OVER_QUOTA = 256;
const OLD_MS = 10 * 60 * 1000; // receivers tolerate a difference of five minutes

/** Receipt result by token prefix, for tokens that are accepted but not delivered. Other tokens are delivered. */
const resultOfName: Readonly<Record<string, number>> = { gone: 2, moved: 5, muted: 6, stored: 27, capped: 102 };

export function resultOf(token: string): number {
  return resultOfName[/^(\w+)-/.exec(token)?.[1] ?? ''] ?? DELIVERED;
}

/** Returns a callback of version 2. It is signed only if both a user name and a key are configured. */
export function toPost(receipts: readonly Receipt[], address: ReceiptAddress, spoiling: Corruption): Post {
  const agedMs = spoiling.isOld ? OLD_MS : 0;
  const statuses = receipts.map(({ token, biTag, requestId, status, atMs }) => ({
    token,
    pushType: 0,
    appPackageName: 'com.example.carillon',
    biTag,
    requestId,
    deliveryStatus: { result: status, timestamp: atMs - agedMs },
  }));
  const { userName, key } = address;
  const headers: Record<string, string> = { 'content-type': 'application/json;charset=UTF-8' };
  if (userName !== undefined && key !== undefined)
    headers['x-huawei-callback-id'] = sign(userName, spoiling.hasBadSignature ? `another${key}` : key, agedMs);
  return { headers, body: JSON.stringify({ statuses }) };
}

/** Signs a callback. The key is decoded as base64. */
function sign(userName: string, key: string, agedMs: number): string {
  const timestamp = Date.now() - agedMs;
  const nonce = randomUUID();
  const signedText = `${timestamp}${nonce}${userName}`;
  const value = createHmac('sha256', Buffer.from(key, 'base64')).update(signedText).digest('base64');
  return `timestamp=${timestamp};nonce=${nonce};value=${value}`;
}
