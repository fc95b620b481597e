import type { AndroidVendor } from '#src/domain/channel.ts';
import type { AndroidParameters, Message } from '#src/domain/message.ts';

/** What a vendor is told of `android` and of its own object. */
export type AndroidOptions<V extends AndroidVendor> = Omit<NonNullable<Message[V]>, 'click_action' | 'intent'> & {
  /** The page to open; nothing: the app's home page. */
  readonly intent: string | undefined;
};

/**
 * The vendor's field beats the `android` field, field by field; what happens after a click is a pair, from the first of
 * both objects that says it.
 */
export function androidOptions<V extends AndroidVendor>(message: Message, vendor: V): AndroidOptions<V> {
  const own: AndroidParameters = message[vendor] ?? {};
  const shared: AndroidParameters = message.android ?? {};
  const click = [own, shared].find(({ click_action }) => click_action !== undefined);
  const intent = click?.click_action === 'intent' ? click.intent : undefined;
  return { ...shared, ...own, click_action: undefined, intent } as unknown as AndroidOptions<V>;
}

/** An app's badge as Android launchers take it: set to a number, or moved by one. */
export type BadgeChange = { readonly set: number } | { readonly add: number };

export function badgeChange(badge: string): BadgeChange {
  const amount = Number.parseInt(badge.replace(/^\+/, ''), 10);
  return badge.startsWith('+') ? { add: amount } : { set: amount };
}
