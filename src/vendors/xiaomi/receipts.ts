import { isReference, parseTime, RECEIPTS_MAX, type Receipt, type ReceiptReader } from '../translate/receipt.ts';
import { codeOf, isObject, readJsonObject } from '../translate/response-values.ts';

/** Meanings of Xiaomi's types; see "消息回执" (read 2026-11). Every other type is a failure. */
const kinds: Readonly<Record<string, Receipt['kind']>> = {
  '1': 'delivered',
  '2': 'clicked',
  '16': 'token-dead',
};

/**
 * Reads Xiaomi's callback, which is a form. The `data` field is a JSON object that contains the result of each message,
 * keyed by Xiaomi's message ID. Returns undefined if the field cannot be read.
 */
export function xiaomiReceipts(body: unknown): Receipt[] | undefined {
  const data = isObject(body) && typeof body.data === 'string' ? readJsonObject(body.data) : undefined;
  if (!data) return undefined;
  return Object.values(data).filter(isObject).flatMap(receiptsOf).slice(0, RECEIPTS_MAX);
}

function receiptsOf({ param: reference, type, targets, timestamp }: Readonly<Record<string, unknown>>): Receipt[] {
  const code = codeOf(type);
  if (!isReference(reference) || typeof targets !== 'string' || code === '') return [];
  const kind = (Object.hasOwn(kinds, code) && kinds[code]) || 'failed';
  const suspectMark = kind === 'token-dead' ? ({ suspect: true } as const) : {};
  const tokens = targets.split(',').filter((token) => token !== '');
  return tokens.map((token) => ({ token, reference, kind, code, at: parseTime(timestamp), ...suspectMark }));
}

/** Xiaomi does not sign callbacks. */
export const xiaomiReceiptReader: ReceiptReader = {
  read: xiaomiReceipts,
  response: { status: 200, body: '{}' },
};
