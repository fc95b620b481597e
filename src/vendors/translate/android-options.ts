import type { AndroidVendor } from '#src/domain/channel.ts';
import type { AndroidParameters, Message } from '#src/domain/message.ts';

/** The options for a vendor, merged from `android` and the vendor's object. */
export type AndroidOptions<V extends AndroidVendor> = Omit<NonNullable<Message[V]>, 'click_action' | 'intent'> & {
  /** The page to open, or undefined for the app's home page. */
  readonly intent: string | undefined;
};

/**
 * Returns the options for a vendor. A field of the vendor's object overrides the same field of `android`.
 * `click_action` and `intent` are a pair, taken from the first of the two objects that sets `click_action`.
 */
export function androidOptions<V extends AndroidVendor>(message: Message, vendor: V): AndroidOptions<V> {
  const own: AndroidParameters = message[vendor] ?? {};
  const shared: AndroidParameters = message.android ?? {};
  const click = [own, shared].find(({ click_action }) => click_action !== undefined);
  const intent = click?.click_action === 'intent' ? click.intent : undefined;
  return { ...shared, ...own, click_action: undefined, intent } as unknown as AndroidOptions<V>;
}

/** A badge change for Android launchers: either the new number, or the increase. */
export type BadgeChange = { readonly set: number } | { readonly add: number };

export function badgeChange(badge: string): BadgeChange {
  const amount = Number.parseInt(badge.replace(/^\+/, ''), 10);
  return badge.startsWith('+') ? { add: amount } : { set: amount };
}
