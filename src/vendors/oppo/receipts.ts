import { isReference, parseTime, RECEIPTS_MAX, type Receipt, type ReceiptReader } from '../translate/receipt.ts';
import { codeOf, isObject } from '../translate/response-values.ts';

/** OPPO's events in our words; see "消息回执" (read 2026-11). Every other one is a failure. */
const kinds: Readonly<Record<string, Receipt['kind']>> = {
  push_arrive: 'delivered',
  regid_invalid: 'token-dead', // uninstalled, or away for 30 days
};

/** A list of events, each of one message and one token or more. */
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

/** OPPO signs nothing. */
export const oppoReceiptReader: ReceiptReader = {
  read: oppoReceipts,
  response: { status: 200, body: '{}' },
};
