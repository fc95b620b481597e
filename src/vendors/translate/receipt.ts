import { isObject } from './response-values.ts';

/** What a vendor tells later of one device's notification. */
export interface Receipt {
  readonly token: string;
  /** That of the notification, as it was given to the vendor. */
  readonly reference: string;
  /** `pending`: it has not arrived yet, and another receipt follows. */
  readonly kind: 'delivered' | 'token-dead' | 'pending' | 'failed';
  /** A token that is called dead may as well be a good one of another app, since this vendor accepts any. */
  readonly suspect?: true;
  /** In the vendor's words. */
  readonly code: string;
  readonly at: Date;
}

/** How a vendor's callback is read and answered. */
export interface ReceiptReader {
  /** Of a form, an object with its fields. Nothing: this is no callback of the vendor. */
  readonly read: (body: unknown) => Receipt[] | undefined;
  /**
   * Missing: the vendor signs nothing, and only the address it calls is a secret. Names of headers are in small letters;
   * the body is that of `read`.
   */
  readonly isSigned?: (
    headers: Readonly<Record<string, unknown>>,
    secrets: { readonly userName: string; readonly key: string },
    now: Date,
    body?: unknown,
  ) => boolean;
  /** What the vendor takes for "understood". */
  readonly response: { readonly status: number; readonly body: string };
}

/** Vendors promise to tell of this many in one call. What comes beyond is not looked at. */
export const RECEIPTS_MAX = 1_000;

/** The entries of a list in a callback, at most so many as a vendor may send; nothing: the body has no such list. */
export function entriesOf(body: unknown, list: string): Readonly<Record<string, unknown>>[] | undefined {
  const entries = isObject(body) ? body[list] : undefined;
  return Array.isArray(entries) ? entries.slice(0, RECEIPTS_MAX).filter(isObject) : undefined;
}

/** What we give to vendors to say it back. The samples that their consoles send have asterisks instead. */
const REFERENCE = /^[\w.:~+/=-]{1,64}$/;

export const isReference = (value: unknown): value is string => typeof value === 'string' && REFERENCE.test(value);

/** Milliseconds as a vendor writes them. Without a time it is that of the epoch: every binding is newer, so nothing dies. */
export function parseTime(value: unknown): Date {
  const time = new Date(typeof value === 'string' ? Number(value) : typeof value === 'number' ? value : Number.NaN);
  // Before it PostgreSQL's own times end, and nobody has sent anything.
  return time.getTime() > 0 ? time : new Date(0);
}
