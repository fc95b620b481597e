import { entriesOf, isReference, parseTime, type Receipt, type ReceiptReader } from '../translate/receipt.ts';
import { codeOf } from '../translate/response-values.ts';

/**
 * Status codes that mean delivered: Huawei's 0, and 40000002 from a project that reads Honor's callbacks. Every other
 * status is a failure. Huawei's codes 2 and 5 mean a dead token, but it is not known whether Honor uses them in the
 * same way.
 */
const DELIVERED = ['0', '40000002'];

/**
 * Reads Honor's callback. Honor's documentation was not available, so version 1 of Huawei's callback format is assumed.
 * Returns undefined if the list is missing.
 */
export function honorReceipts(body: unknown): Receipt[] | undefined {
  return entriesOf(body, 'statuses')?.flatMap(({ token, biTag: reference, status, timestamp }): Receipt[] => {
    const code = codeOf(status);
    if (typeof token !== 'string' || token === '' || !isReference(reference) || code === '') return [];
    const kind = DELIVERED.includes(code) ? 'delivered' : 'failed';
    return [{ token, reference, kind, code, at: parseTime(timestamp) }];
  });
}

/** It is not known whether and how Honor signs its callbacks, so the callback URL must be hard to guess. */
export const honorReceiptReader: ReceiptReader = {
  read: honorReceipts,
  response: { status: 200, body: '{"code":"0","message":"success"}' },
};
