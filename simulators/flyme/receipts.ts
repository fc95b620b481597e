import type { Corruption, Post, Receipt, ReceiptAddress } from '../kit/receipts.ts';

export const DELIVERED = 1;
export const CLICKED = 2;

/**
 * Returns the receipt types of a token, limited to those that the message requests. Every token gets a delivery
 * receipt; `clicked-…` tokens also get a click receipt.
 */
export function receiptTypesOf(token: string, requestedType: unknown): readonly number[] {
  const types = token.startsWith('clicked-') ? [DELIVERED, CLICKED] : [DELIVERED];
  return types.filter(
    (type) => requestedType === undefined || Number(requestedType) === 3 || Number(requestedType) === type,
  );
}

/**
 * Returns Meizu's callback: a form with the access token from the console and a JSON object with one entry per message
 * and type.
 */
export function toPost(receipts: readonly Receipt[], { key = '' }: ReceiptAddress, spoiling: Corruption): Post {
  const groups = Map.groupBy(receipts, ({ requestId, status }) => `${requestId}-${status}`);
  const entries = [...groups].map(([name, group]) => {
    const { biTag, status } = group[0] as Receipt;
    return [name, { param: biTag, type: status, targets: group.map(({ token }) => token) }] as const;
  });
  const form = {
    access_token: spoiling.hasBadSignature ? `another${key}` : key,
    cb: JSON.stringify(Object.fromEntries(entries)),
  };
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    body: new URLSearchParams(form).toString(),
  };
}
