import type { Notification } from '../vendor.ts';

/** The selector of an intent, and the parts behind it. Extras there do not reach the page. */
const SELECTOR = ';SEL;';
const END = ';end';

/**
 * Returns the intent URI with the extras `mid` and `reference`. The system of these vendors opens the page itself and
 * passes only the extras of the URI, so that the app could not report the tap. Of two extras with the same name,
 * Android uses the last. An intent of another form, or one that becomes longer than `charactersMax`, is returned
 * unchanged.
 */
export function withTapExtras(
  intent: string,
  { taskId, reference }: Pick<Notification, 'taskId' | 'reference'>,
  charactersMax = Number.POSITIVE_INFINITY,
): string {
  if (!intent.endsWith(END) || intent.includes(SELECTOR)) return intent;
  const extended = `${intent.slice(0, -END.length)};S.mid=${taskId};S.reference=${reference}${END}`;
  return extended.length <= charactersMax ? extended : intent;
}
