import { isReference, parseTime, RECEIPTS_MAX, type Receipt, type ReceiptReader } from '../translate/receipt.ts';
import { codeOf, isObject } from '../translate/response-values.ts';

/**
 * The value of `ackType` for a delivered notification. The other values are not documented, and all of them count as
 * failures.
 */
const DELIVERED = '0';

/**
 * Reads vivo's callback. It has an entry for each task with the tokens, Carillon's reference and, in its newer form,
 * the result. The older form reports only deliveries. Returns undefined if the body is not an object.
 */
export function vivoReceipts(body: unknown): Receipt[] | undefined {
  if (!isObject(body)) return undefined;
  const receipts: Receipt[] = [];
  for (const entry of Object.values(body)) {
    if (!isObject(entry)) continue;
    const { param: reference, targets, ackType, ackTime } = entry;
    const code = ackType === undefined ? DELIVERED : codeOf(ackType);
    if (!isReference(reference) || code === '') continue;
    const receiptFields = {
      reference,
      kind: code === DELIVERED ? 'delivered' : 'failed',
      code,
      at: parseTime(ackTime),
    } as const;
    receipts.push(...tokensOf(targets).map((token) => ({ token, ...receiptFields })));
    if (receipts.length >= RECEIPTS_MAX) break;
  }
  return receipts.slice(0, RECEIPTS_MAX);
}

/** Returns the tokens of an entry, which are separated by commas. */
function tokensOf(targets: unknown): string[] {
  if (typeof targets === 'bigint') return [targets.toString()];
  return typeof targets === 'string' ? targets.split(',').filter((token) => token !== '') : [];
}

/** vivo does not sign callbacks. */
export const vivoReceiptReader: ReceiptReader = { read: vivoReceipts, response: { status: 200, body: '{}' } };
