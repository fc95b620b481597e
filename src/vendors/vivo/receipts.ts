import { isReference, RECEIPTS_MAX, type Receipt, type ReceiptReader, timeOf } from '../translate/receipt.ts';
import { codeOf, isObject } from '../translate/response-values.ts';

/** In `ackType`. The other numbers are not public; each of them says that it did not arrive. */
const ARRIVED = '0';

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
    const code = ackType === undefined ? ARRIVED : codeOf(ackType);
    if (!isReference(reference) || code === '') continue;
    const told = { reference, kind: code === ARRIVED ? 'delivered' : 'failed', code, at: timeOf(ackTime) } as const;
    receipts.push(...tokensOf(targets).map((token) => ({ token, ...told })));
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
export const vivoReceiptReader: ReceiptReader = { read: vivoReceipts, reply: { status: 200, body: '{}' } };
