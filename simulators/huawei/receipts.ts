import { createHmac, randomUUID } from 'node:crypto';
import type { Corruption, KeyMode, Post, Receipt, ReceiptAddress } from '../kit/receipts.ts';

const DELIVERED = 0;
const OLD_MS = 10 * 60 * 1000; // receivers tolerate a difference of five minutes

/** Receipt status by token prefix, for tokens that are accepted but not delivered. Other tokens are delivered. */
const statusOfName: Readonly<Record<string, number>> = { gone: 2, moved: 5, muted: 6, capped: 102 };

export function statusOf(token: string): number {
  return statusOfName[/^(\w+)-/.exec(token)?.[1] ?? ''] ?? DELIVERED;
}

/** Returns Huawei's callback. It is signed only if both a user name and a key are configured. */
export function toPost(receipts: readonly Receipt[], address: ReceiptAddress, spoiling: Corruption): Post {
  const agedMs = spoiling.isOld ? OLD_MS : 0;
  const toEntry = address.version === 'V1' ? toV1 : toV2;
  const statuses = receipts.map((receipt) => toEntry({ ...receipt, atMs: receipt.atMs - agedMs }));
  const { userName, key } = address;
  const headers: Record<string, string> = { 'content-type': 'application/json;charset=UTF-8' };
  if (userName !== undefined && key !== undefined) {
    const signingKey = spoiling.hasBadSignature ? `another${key}` : key;
    headers['x-huawei-callback-id'] = sign(userName, signingKey, address.keyMode, agedMs);
  }
  return { headers, body: JSON.stringify({ statuses }) };
}

function toV1({ appId, token, biTag, requestId, status, atMs }: Receipt): object {
  return { token, biTag, status, timestamp: atMs, clientId: appId, requestId };
}

function toV2({ token, biTag, requestId, status, atMs }: Receipt): object {
  const deliveryStatus = { result: status, timestamp: atMs };
  return { token, pushType: 0, appPackageName: 'com.example.carillon', biTag, requestId, deliveryStatus };
}

/**
 * Signs a callback. In new configurations, the key is decoded as base64; in old configurations, it is used as a UTF-8
 * string.
 */
function sign(userName: string, key: string, keyMode: KeyMode, agedMs: number): string {
  const timestamp = Date.now() - agedMs;
  const nonce = randomUUID();
  const keyBytes = Buffer.from(key, keyMode === 'base64' ? 'base64' : 'utf8');
  const value = createHmac('sha256', keyBytes).update(`${timestamp}${nonce}${userName}`).digest('base64');
  return `timestamp=${timestamp}; nonce=${nonce}; value=${value}`;
}
