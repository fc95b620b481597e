import { huaweiReceiptReader } from '../huawei/receipts.ts';
import { entriesOf, isReference, parseTime, type Receipt, type ReceiptReader } from '../translate/receipt.ts';
import { codeOf, isObject } from '../translate/response-values.ts';

/** Meanings of the results; see "Message receipt" of HarmonyOS Push Kit (read 2026-11). Every other one is a failure. */
const kinds: Readonly<Record<string, Receipt['kind']>> = {
  '0': 'delivered',
  '2': 'token-dead', // the app is not installed
  '5': 'token-dead', // the token belongs to another installation
  '27': 'pending', // the app is not running; the phone holds the data-only message until it starts
  '51': 'pending', // the device has not been unlocked since it started
};

/** Reads a callback of version 2, the only version for HarmonyOS. Returns undefined if the list is missing. */
export function harmonyReceipts(body: unknown): Receipt[] | undefined {
  return entriesOf(body, 'statuses')?.flatMap(({ token, biTag: reference, deliveryStatus }): Receipt[] => {
    const { result, timestamp } = isObject(deliveryStatus) ? deliveryStatus : {};
    const code = codeOf(result);
    if (typeof token !== 'string' || token === '' || !isReference(reference) || code === '') return [];
    const kind = (Object.hasOwn(kinds, code) && kinds[code]) || 'failed';
    return [{ token, reference, kind, code, at: parseTime(timestamp) }];
  });
}

/** Callbacks are signed as for Huawei. */
export const harmonyReceiptReader: ReceiptReader = {
  ...huaweiReceiptReader,
  read: harmonyReceipts,
};
