import { CarillonError } from '../../../../sdk/src/index.ts';

/** Error codes of a wrong field, a large image, a long list, a large message and a wrong time. */
const CONTENT_ERROR_CODES: ReadonlySet<number> = new Set([10002, 12002, 12005, 12009, 12010]);

/** Returns whether the content of a notification caused an error, so that another attempt would fail too. */
export const isRejected = (error: unknown): boolean =>
  error instanceof CarillonError && CONTENT_ERROR_CODES.has(error.code);
