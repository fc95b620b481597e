import type { Corruption, Post, Receipt, ReceiptAddress } from '../kit/receipts.ts';

/** The only documented status for "delivered". Honor may also use 0, like Huawei; the control API can send 0. */
export const DELIVERED = 40_000_002;
const OLD_MS = 10 * 60 * 1000;

/**
 * Returns a receipt in Huawei's oldest format. It is not signed, because it is unknown whether and how Honor signs
 * receipts.
 */
export function toPost(receipts: readonly Receipt[], _address: ReceiptAddress, { isOld }: Corruption): Post {
  const statuses = receipts.map(({ appId, token, biTag, requestId, status, atMs }) => ({
    biTag,
    appid: appId,
    token,
    status,
    timestamp: atMs - (isOld ? OLD_MS : 0),
    requestId,
  }));
  return { headers: { 'content-type': 'application/json;charset=UTF-8' }, body: JSON.stringify({ statuses }) };
}
