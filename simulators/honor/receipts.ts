import type { Corruption, Post, Receipt, ReceiptAddress } from '../kit/receipts.ts';

/** The only word for delivered that a source names. 0, as at Huawei, may be another: the control API can send it. */
export const DELIVERED = 40_000_002;
const OLD_MS = 10 * 60 * 1000;

/** Like Huawei's oldest form. Whether and how Honor signs it is not known, so it is not signed. */
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
