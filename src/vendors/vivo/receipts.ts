import { isReference, parseTime, RECEIPTS_MAX, type Receipt, type ReceiptReader } from '../translate/receipt.ts';
import { codeOf, isObject } from '../translate/response-values.ts';

/** In `ackType`. The other numbers are not public; each of them says that it did not arrive. */
const DELIVERED = '0';

/**
 * vivo's callback has an entry for each task: whom it is about, what we gave along, and, in its newer form, how it went.
 * The older form tells of arrivals only.
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

/** One, or several with commas between them. */
function tokensOf(targets: unknown): string[] {
  if (typeof targets === 'bigint') return [targets.toString()];
  return typeof targets === 'string' ? targets.split(',').filter((token) => token !== '') : [];
}

/** vivo signs nothing. */
export const vivoReceiptReader: ReceiptReader = { read: vivoReceipts, response: { status: 200, body: '{}' } };
