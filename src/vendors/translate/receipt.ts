import { isObject } from './response-values.ts';

/** A vendor's later report about a notification to one device. */
export interface Receipt {
  readonly token: string;
  /** The notification's reference, as it was sent to the vendor. */
  readonly reference: string;
  /** `clicked`: also delivered. `pending`: not delivered yet, and another receipt follows. */
  readonly kind: 'delivered' | 'clicked' | 'token-dead' | 'pending' | 'failed';
  /** The dead token may be a valid token of another app, because this vendor accepts any token. */
  readonly suspect?: true;
  /** The vendor's code. */
  readonly code: string;
  readonly at: Date;
}

/** Parses a vendor's callbacks and defines the response to them. */
export interface ReceiptReader {
  /**
   * Parses a body; a form is passed as an object with its fields. Returns undefined if the body is not a callback of
   * the vendor.
   */
  readonly read: (body: unknown) => Receipt[] | undefined;
  /**
   * Verifies the signature. Undefined if the vendor does not sign callbacks; in that case, only the callback URL is
   * secret. Header names are in lower case; the body is the same as for `read`.
   */
  readonly isSigned?: (
    headers: Readonly<Record<string, unknown>>,
    secrets: { readonly userName: string; readonly key: string },
    now: Date,
    body?: unknown,
  ) => boolean;
  /**
   * Returns the bytes of a verified signature, which differ for each callback. Undefined if the vendor does not sign
   * callbacks, or sends the same secret with all of them.
   */
  readonly signatureOf?: (headers: Readonly<Record<string, unknown>>) => Buffer;
  /** The response that the vendor accepts as an acknowledgement. */
  readonly response: { readonly status: number; readonly body: string };
}

/** Maximum number of receipts per callback. Vendors guarantee not to exceed it. Further receipts are ignored. */
export const RECEIPTS_MAX = 1_000;

/** Returns up to `RECEIPTS_MAX` entries of a list in a callback, or undefined if the body does not contain the list. */
export function entriesOf(body: unknown, list: string): Readonly<Record<string, unknown>>[] | undefined {
  const entries = isObject(body) ? body[list] : undefined;
  return Array.isArray(entries) ? entries.slice(0, RECEIPTS_MAX).filter(isObject) : undefined;
}

/**
 * Format of the references that vendors send back in receipts. The samples from vendor consoles contain asterisks
 * instead.
 */
const REFERENCE = /^[\w.:~+/=-]{1,64}$/;

export const isReference = (value: unknown): value is string => typeof value === 'string' && REFERENCE.test(value);

/**
 * Parses a vendor's time in milliseconds. Returns the epoch if the time is missing. Every binding is newer than the
 * epoch, so the receipt removes no token.
 */
export function parseTime(value: unknown): Date {
  const time = new Date(typeof value === 'string' ? Number(value) : typeof value === 'number' ? value : Number.NaN);
  // Earlier times are invalid: PostgreSQL cannot store all of them, and no notification is that old.
  return time.getTime() > 0 ? time : new Date(0);
}
