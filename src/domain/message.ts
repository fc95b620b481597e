export type MessageType = 'text' | 'image' | 'cmd';

/** A message as it was accepted: blanks gone, defaults of the spec applied. Stored, and sent to devices, in these words. */
export interface Message {
  readonly type: MessageType;
  readonly title?: string;
  readonly body?: string;
  readonly attachment_url?: string;
  readonly big_text?: string;
  /** A number that the badge is set to, or `+` and a number that is added to it. */
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

export interface AndroidParameters {
  readonly sound?: string;
  readonly channel_id?: string;
  readonly click_action?: string;
  readonly intent?: string;
}

/**
 * What a device on the own channel reads: the message and its ids, which are strings so that no JavaScript client
 * rounds them. A device gets a task once, so both ids are the task's and a whole slice shares these bytes.
 */
export function nativePayload(taskId: bigint, messageText: string): string {
  return `{"task_id":"${taskId}","message_id":"${taskId}",${messageText.slice(1)}`;
}

/** Where a relative badge leads from the device's present one; an absolute one says it itself. */
export function applyBadge(current: number, badge: string): number {
  const amount = Number.parseInt(badge.startsWith('+') ? badge.slice(1) : badge, 10);
  return badge.startsWith('+') ? Math.min(current + amount, BADGE_MAX) : amount;
}

/** A badge is an int32 on the phone; nobody sees more than four digits anyway. */
export const BADGE_MAX = 2 ** 31 - 1;
