import { entriesOf, isReference, parseTime, type Receipt, type ReceiptReader } from '../translate/receipt.ts';
import { codeOf } from '../translate/response-values.ts';

/**
 * States that say it has arrived: Huawei's, and one that a project which reads Honor's callbacks names. Every other one is
 * a failure; Huawei's 2 and 5, for which a token would die there, are not known to mean that here.
 */
const DELIVERED = ['0', '40000002'];

/** The first version of Huawei's callback, which is all that is known of Honor's. */
export function honorReceipts(body: unknown): Receipt[] | undefined {
  return entriesOf(body, 'statuses')?.flatMap(({ token, biTag: reference, status, timestamp }): Receipt[] => {
    const code = codeOf(status);
    if (typeof token !== 'string' || token === '' || !isReference(reference) || code === '') return [];
    const kind = DELIVERED.includes(code) ? 'delivered' : 'failed';
    return [{ token, reference, kind, code, at: parseTime(timestamp) }];
  });
}

/** How Honor signs its callbacks, if it does, is not known: the address must be one that nobody guesses. */
export const honorReceiptReader: ReceiptReader = {
  read: honorReceipts,
  response: { status: 200, body: '{"code":"0","message":"success"}' },
};
