import { parseJson } from '../json.ts';
import type { ReceivedNotification } from './notification.ts';

/** The texts that the vendor passes to the app outside the data. An object without texts means an untitled notification. */
export interface VendorTexts {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
}

const ID = /^\d{1,19}$/;

/**
 * Reads the data of a vendor message. Returns undefined if the message is not from Carillon. Without `texts`, the
 * notification is a data-only message, unless the phone has displayed it.
 */
export function parseVendorMessage(
  data: Readonly<Record<string, unknown>>,
  { texts, isDisplayed = false }: { readonly texts?: VendorTexts | undefined; readonly isDisplayed?: boolean } = {},
): ReceivedNotification | undefined {
  const { mid } = data;
  if (typeof mid !== 'string' || !ID.test(mid)) return undefined;
  const id = BigInt(mid);
  const title = texts?.title ?? data.title;
  const body = texts?.body ?? data.body;
  const { badge, attachment_url, intent } = data;
  const ext = parseExt(data.ext);
  return {
    task_id: id,
    message_id: id,
    reference: typeof data.reference === 'string' ? data.reference : '',
    type: texts || isDisplayed ? 'text' : 'cmd',
    badge: isText(badge) ? badge : '+1',
    ...(isText(title) && { title }),
    ...(isText(body) && { body }),
    ...(isText(attachment_url) && { attachment_url }),
    ...(ext && { ext }),
    ...(isText(intent) && { android: { click_action: 'intent', intent } }),
  };
}

/** Returns the page that a tap opens, as an `intent:` URI. Undefined means that it opens the app. */
export const pageOf = ({ android }: Pick<ReceivedNotification, 'android'>): string | undefined =>
  android?.click_action === 'intent' ? android.intent : undefined;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** `ext` is an object on iOS and in browsers, and a JSON string elsewhere. */
function parseExt(ext: unknown): Record<string, unknown> | undefined {
  try {
    const parsed = typeof ext === 'string' ? parseJson(ext) : ext;
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
