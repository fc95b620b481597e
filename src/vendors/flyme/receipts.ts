import { createHash, timingSafeEqual } from 'node:crypto';
import { isReference, RECEIPTS_MAX, type Receipt, type ReceiptReader } from '../translate/receipt.ts';
import { codeOf, isObject, readJsonObject } from '../translate/response-values.ts';

/** Every other type is a failure. */
const kinds: Readonly<Record<string, Receipt['kind']>> = { '1': 'delivered', '2': 'clicked' };

/**
 * Reads Meizu's callback, which is a form. The `cb` field is a JSON object with an entry for each message and type.
 * Entries contain no times. Returns undefined if the field cannot be read.
 */
export function flymeReceipts(body: unknown): Receipt[] | undefined {
  const entries = isObject(body) && typeof body.cb === 'string' ? readJsonObject(body.cb) : undefined;
  if (!entries) return undefined;
  const receipts: Receipt[] = [];
  for (const entry of Object.values(entries)) {
    if (!isObject(entry)) continue;
    const { param: reference, type, targets } = entry;
    const code = codeOf(type);
    if (!isReference(reference) || code === '' || !Array.isArray(targets)) continue;
    const kind = (Object.hasOwn(kinds, code) && kinds[code]) || 'failed';
    const tokens = targets.filter((token): token is string => typeof token === 'string' && token !== '');
    receipts.push(
      ...tokens.slice(0, RECEIPTS_MAX).map((token) => ({ token, reference, kind, code, at: EPOCH }) as const),
    );
    if (receipts.length >= RECEIPTS_MAX) break;
  }
  return receipts.slice(0, RECEIPTS_MAX);
}

/**
 * Time of every receipt, because Meizu does not report times. All bindings are newer than this time, so no receipt
 * invalidates a token.
 */
const EPOCH = new Date(0);

/**
 * Checks the access token that is set in Meizu's console and sent in the form. Hashing gives both values the same
 * length, which `timingSafeEqual` requires.
 */
function hasAccessToken(body: unknown, key: string): boolean {
  const accessToken = isObject(body) ? body.access_token : undefined;
  if (typeof accessToken !== 'string' || key === '') return false;
  const [givenHash, expectedHash] = [accessToken, key].map((text) => createHash('sha256').update(text).digest()) as [
    Buffer,
    Buffer,
  ];
  return timingSafeEqual(givenHash, expectedHash);
}

export const flymeReceiptReader: ReceiptReader = {
  read: flymeReceipts,
  isSigned: (_headers, { key }, _now, body) => hasAccessToken(body, key),
  response: { status: 200, body: '{}' },
};
