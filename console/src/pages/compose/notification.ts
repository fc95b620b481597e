import type { Audience, PushNotifyRequest } from '../../../../sdk/src/index.ts';
import { parseJson } from '../../../../sdk/src/index.ts';

export type AudienceKind = 'all' | 'tag' | 'alias' | 'user_id' | 'push_token';
export type Strategy = 'combined' | 'nativepush_only' | 'ospush_only';

/** The fields of the form. */
export interface Notification {
  readonly audienceKind: AudienceKind;
  /** Tags, aliases, user IDs or push tokens. */
  readonly values: readonly string[];
  readonly title: string;
  readonly body: string;
  readonly strategy: Strategy;
  /** Local date and time, as in a `datetime-local` field. Empty to send immediately. */
  readonly begin: string;
  /** As `begin`. Empty for the default expiry. */
  readonly end: string;
  readonly imageUrl: string;
  /** Number, or number after a plus sign. Empty for the default. */
  readonly badge: string;
  readonly bigText: string;
  /** Intent URI of the page that a tap opens on Android. Empty to open the app. */
  readonly intent: string;
  /** Further fields of the message, as a JSON object. */
  readonly more: string;
}

export const emptyNotification: Notification = {
  audienceKind: 'all',
  values: [],
  title: '',
  body: '',
  strategy: 'combined',
  begin: '',
  end: '',
  imageUrl: '',
  badge: '',
  bigText: '',
  intent: '',
  more: '',
};

/** Returns whether the form has an audience, and a text unless the message is data-only. */
export function isComplete(notification: Notification): boolean {
  const { audienceKind, values } = notification;
  const { type, title, body, big_text }: Readonly<Record<string, unknown>> = {
    ...notification,
    big_text: notification.bigText,
    ...objectOf(notification.more),
  };
  return (audienceKind === 'all' || values.length > 0) && (type === 'cmd' || [title, body, big_text].some(isText));
}

/** Returns whether a field is set that the form shows only on demand. */
export const hasMoreFields = ({ imageUrl, badge, bigText, intent, more }: Notification): boolean =>
  [imageUrl, badge, bigText, intent, more].some(isText);

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** Returns whether the operator has entered nothing or a JSON object. */
export const isMessageJson = (text: string): boolean => text.trim() === '' || objectOf(text) !== undefined;

function objectOf(text: string): object | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The form and the length that the service accepts. */
const INTENT = /^intent:[^#\s]*#Intent;(?:[^;\s]+;)*component=[\w.]+\/[\w.$]+;(?:[^;]+;)*end$/;
const INTENT_CHARACTERS_MAX = 4_096;

/** Returns whether the operator has entered nothing or the intent URI of a page. */
export const isIntent = (text: string): boolean =>
  text.trim() === '' || (text.trim().length <= INTENT_CHARACTERS_MAX && INTENT.test(text.trim()));

/** Returns whether the start time has passed, so that sending starts immediately. */
export const isBeginPast = ({ begin }: Notification): boolean => begin !== '' && new Date(begin).getTime() < Date.now();

/**
 * Returns the request for `/push/notify` and `/push/validate`. Fields of the JSON replace those of the form, also inside
 * `android`. Sending starts after the hold and the start time, so a start time that has passed by mistake can still be
 * undone.
 */
export function toRequest(notification: Notification, requestId?: string, holdSeconds?: number): PushNotifyRequest {
  const { title, body, strategy, begin, end, imageUrl, badge, bigText, intent, more } = notification;
  const setting = {
    ...(requestId !== undefined && { request_id: requestId }),
    ...(holdSeconds !== undefined && { hold_seconds: holdSeconds }),
    ...(strategy !== 'combined' && { distribution_strategy: strategy }),
  };
  return {
    audience: audienceOf(notification),
    ...(Object.keys(setting).length > 0 && { setting }),
    message: {
      ...(title.trim() !== '' && { title: title.trim() }),
      ...(body.trim() !== '' && { body: body.trim() }),
      ...(imageUrl.trim() !== '' && { type: 'image' as const, attachment_url: imageUrl.trim() }),
      ...(badge.trim() !== '' && { badge: badge.trim() }),
      ...(begin !== '' && { show_begin_time: secondsOf(begin) }),
      ...(end !== '' && { show_end_time: secondsOf(end) }),
      ...(bigText.trim() !== '' && { big_text: bigText.trim() }),
      ...withIntent(objectOf(more), intent.trim()),
    },
  };
}

/** Adds the page to open to the further fields, unless they have a value for `android` that is not an object. */
function withIntent(fields: { readonly android?: unknown } = {}, intent: string): object {
  const { android = {} } = fields;
  return intent === '' || !isObject(android)
    ? fields
    : { ...fields, android: { click_action: 'intent', intent, ...android } };
}

const secondsOf = (localTime: string): bigint => BigInt(Math.floor(new Date(localTime).getTime() / 1000));

function audienceOf({ audienceKind, values }: Notification): Audience {
  if (audienceKind === 'all') return 'all';
  if (audienceKind === 'user_id') return { user_id: values.map(BigInt) };
  return { [audienceKind]: values };
}
