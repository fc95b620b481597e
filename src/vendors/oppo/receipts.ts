import { isReference, parseTime, RECEIPTS_MAX, type Receipt, type ReceiptReader } from '../translate/receipt.ts';
import { codeOf, isObject } from '../translate/response-values.ts';

/** Meanings of OPPO's events; see "消息回执" (read 2026-11). Every other event is a failure. */
const kinds: Readonly<Record<string, Receipt['kind']>> = {
  push_arrive: 'delivered',
  regid_invalid: 'token-dead', // uninstalled, or offline for 30 days
};

/**
 * Reads OPPO's callback, a list of events. Each event is about one message and one or more tokens. Returns undefined if
 * the body is not a list.
 */
export function oppoReceipts(body: unknown): Receipt[] | undefined {
  if (!Array.isArray(body)) return undefined;
  return body.slice(0, RECEIPTS_MAX).filter(isObject).flatMap(receiptsOf).slice(0, RECEIPTS_MAX);
}

function receiptsOf(event: Readonly<Record<string, unknown>>): Receipt[] {
  const { param: reference, eventType, registrationIds, eventTime } = event;
  const code = codeOf(eventType);
  if (!isReference(reference) || typeof registrationIds !== 'string' || code === '') return [];
  const kind = (Object.hasOwn(kinds, code) && kinds[code]) || 'failed';
  const suspectMark = kind === 'token-dead' ? ({ suspect: true } as const) : {};
  const tokens = registrationIds.split(',').map((token) => token.trim());
  return tokens
    .filter((token) => token !== '')
    .map((token) => ({ token, reference, kind, code, at: parseTime(eventTime), ...suspectMark }));
}

/** OPPO does not sign callbacks. */
export const oppoReceiptReader: ReceiptReader = {
  read: oppoReceipts,
  response: { status: 200, body: '{}' },
};
