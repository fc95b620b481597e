import type { PhoneView } from '../kit/page.ts';
import { asRecord, type Json, stringOrEmpty } from '../kit/read.ts';

/** A message that was delivered to the simulated phone, in the format of the control API. */
export type Arrival = {
  readonly vendor: 'huawei';
  readonly app_id: string;
  readonly token: string;
  readonly request_id: string;
  /** Number of tokens in the request. */
  readonly tokens: number;
  /** The request body without the list of tokens. */
  readonly body: Json;
  readonly at: number;
  /** True if the sender has recalled the notification. */
  readonly recalled?: true;
};

/** Returns a task id that stays the same when the message is sent again, or undefined if the message has no task id. */
export function taskOf(body: Json): string | undefined {
  const { tag, notify_id } = notificationOf(body);
  const task = tag ?? notify_id ?? biTagOf(body);
  return task === undefined ? undefined : String(task);
}

/** Returns the number under which the phone shows the notification, or undefined if the phone chooses it. */
export function notifyIdOf(body: Json): unknown {
  return notificationOf(body).notify_id;
}

export function biTagOf(body: Json): string | undefined {
  const { bi_tag } = asRecord(asRecord(body.message).android);
  return typeof bi_tag === 'string' ? bi_tag : undefined;
}

export function viewOf({ app_id, token, body, at }: Arrival): PhoneView {
  const { data, android } = asRecord(body.message);
  const { style, title, body: text, big_title, big_body, image, badge } = notificationOf(body);
  const isBig = style === 1;
  const givenData = asRecord(android).data ?? data;
  return {
    app: app_id,
    title: stringOrEmpty(isBig ? big_title : title),
    text: stringOrEmpty(text),
    largeText: isBig ? stringOrEmpty(big_body) : undefined,
    badge: badgeText(asRecord(badge)),
    picture: typeof image === 'string' ? image : undefined,
    data: typeof givenData === 'string' ? givenData : undefined,
    details: [],
    token,
    at,
  };
}

/** Returns the notification. Fields for Android override the fields for all systems. */
function notificationOf(body: Json): Json {
  const { notification, android } = asRecord(body.message);
  return { ...asRecord(notification), ...asRecord(asRecord(android).notification) };
}

/** Returns the number for the app icon. `set_num` overrides `add_num`. */
function badgeText({ class: activity, set_num, add_num }: Json): string | undefined {
  if (activity === undefined) return undefined;
  return set_num === undefined ? `+${add_num ?? 1}` : String(set_num);
}
