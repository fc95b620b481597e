import { type SliceKey, sliceKeyText } from './slice.ts';
export type MessageType = 'text' | 'image' | 'cmd';

/**
 * An accepted message: blank fields have been removed and the default values of the API applied. It is stored and sent to
 * devices with these field names.
 */
export interface Message {
  readonly type: MessageType;
  readonly title?: string;
  readonly body?: string;
  readonly attachment_url?: string;
  readonly big_text?: string;
  /** A number to set the badge to, or `+` and a number to add to it. */
  readonly badge: string;
  readonly ext?: Readonly<Record<string, unknown>>;
  readonly show_begin_time?: bigint;
  readonly show_end_time?: bigint;
  readonly ios?: IosParameters;
  readonly android?: AndroidParameters;
  readonly huawei?: AndroidParameters & {
    readonly badge_class?: string;
    readonly category?: string;
    readonly importance?: string;
  };
  readonly harmony?: HarmonyParameters;
  readonly honor?: AndroidParameters & { readonly badge_class?: string; readonly category?: string };
  readonly xiaomi?: AndroidParameters & { readonly template_id?: string; readonly template_param?: string };
  readonly oppo?: AndroidParameters & { readonly category?: string; readonly notify_level?: number };
  readonly vivo?: AndroidParameters & {
    readonly push_mode?: number;
    readonly classification?: number;
    readonly category?: string;
  };
  readonly flyme?: AndroidParameters & { readonly notice_msg_type?: number };
  readonly fcm?: AndroidParameters;
  readonly webpush?: WebPushParameters;
}

export interface IosParameters {
  readonly sound?: string;
  readonly content_available?: boolean;
  readonly mutable_content?: boolean;
  readonly category?: string;
  readonly thread_id?: string;
  readonly subtitle?: string;
  readonly apns_collapse_id?: string;
}

export interface HarmonyParameters {
  readonly category?: string;
  readonly sound?: string;
  /** The page to open is named by its action or its URI. Without either, the app is opened. */
  readonly action?: string;
  readonly uri?: string;
  /** Of the notifications with the same number, an offline phone receives only the newest. -1 keeps all. */
  readonly collapse_key?: number;
  /** Whether the notification is also displayed while the app is in the foreground. */
  readonly foreground_show?: boolean;
}

export interface WebPushParameters {
  /** The page that a click opens. */
  readonly navigate?: string;
  /** A notification replaces earlier ones with the same tag. */
  readonly tag?: string;
  readonly icon?: string;
  readonly lang?: string;
  readonly dir?: 'auto' | 'ltr' | 'rtl';
  readonly silent?: boolean;
  readonly urgency?: 'very-low' | 'low' | 'normal' | 'high';
}

export interface AndroidParameters {
  readonly sound?: string;
  readonly channel_id?: string;
  readonly click_action?: string;
  readonly intent?: string;
}

/**
 * Returns the payload of the Carillon channel: the message, its IDs and the reference for a click. The IDs are strings,
 * so that JavaScript clients do not round them. A device receives a task once, so both IDs are the task ID and all
 * devices of a slice share these bytes.
 */
export function nativePayload(slice: SliceKey, messageText: string): string {
  const { taskId } = slice;
  return `{"task_id":"${taskId}","message_id":"${taskId}","reference":"${sliceKeyText(slice)}",${messageText.slice(1)}`;
}

/** Returns the payload that recalls a notification from the devices of the Carillon channel. */
export const recallPayload = (taskId: bigint): string => `{"task_id":"${taskId}","message_id":"${taskId}"}`;

/** Returns whether an image has no text. Most vendors reject a notification without a title and a text. */
export const isImageWithoutText = ({ type, title, body, big_text }: Message): boolean =>
  type === 'image' && title === undefined && body === undefined && big_text === undefined;

/** Returns the message as it is sent to vendors: the name of the app is the title of an image without a text. */
export const vendorMessage = (message: Message, appName: string): Message =>
  isImageWithoutText(message) ? { ...message, title: appName } : message;

/**
 * Returns the badge of a device after a message. A relative badge is added to the current one, an absolute badge
 * replaces it.
 */
export function applyBadge(current: number, badge: string): number {
  const amount = Number.parseInt(badge.startsWith('+') ? badge.slice(1) : badge, 10);
  return badge.startsWith('+') ? Math.min(current + amount, BADGE_MAX) : amount;
}

/** Returns the badge that has the same effect as two badges one after the other. */
export function combineBadges(first: string, second: string): string {
  if (!second.startsWith('+')) return second;
  const isRelative = first.startsWith('+');
  const amount = applyBadge(applyBadge(0, first), second);
  return isRelative ? `+${amount}` : `${amount}`;
}

/** A badge is an int32 on the device. */
export const BADGE_MAX = 2 ** 31 - 1;
