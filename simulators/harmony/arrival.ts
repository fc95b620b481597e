import type { PhoneView } from '../kit/page.ts';
import { asRecord, type Json, stringOrEmpty } from '../kit/read.ts';

/** A message that was delivered to the simulated phone, in the format of the control API. */
export type Arrival = {
  readonly vendor: 'harmony';
  /** The project ID. */
  readonly app_id: string;
  readonly token: string;
  readonly request_id: string;
  /** Value of the header `push-type`. */
  readonly push_type: number;
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
  const { appMessageId, notifyId } = notificationOf(body);
  const task = appMessageId ?? notifyId ?? biTagOf(body);
  return task === undefined ? undefined : String(task);
}

/** Returns the number under which the phone shows the notification. */
export function notifyIdOf(body: Json): unknown {
  return notificationOf(body).notifyId;
}

export function biTagOf(body: Json): string | undefined {
  const { biTag } = asRecord(body.pushOptions);
  return typeof biTag === 'string' ? biTag : undefined;
}

/** Returns whether a message counts towards the daily limit for marketing. */
export function isMarketing(body: Json): boolean {
  return notificationOf(body).category === 'MARKETING' && asRecord(body.pushOptions).testMessage !== true;
}

export function viewOf({ app_id, token, body, at }: Arrival): PhoneView {
  const { title, body: text, image, badge, clickAction } = notificationOf(body);
  const { extraData } = asRecord(body.payload);
  const { data } = asRecord(clickAction);
  return {
    app: app_id,
    title: stringOrEmpty(title),
    text: stringOrEmpty(text),
    largeText: undefined,
    badge: badge === undefined ? undefined : badgeText(asRecord(badge)),
    picture: typeof image === 'string' ? image : undefined,
    data: typeof extraData === 'string' ? extraData : data === undefined ? undefined : JSON.stringify(data),
    details: [],
    token,
    at,
  };
}

export function notificationOf(body: Json): Json {
  return asRecord(asRecord(body.payload).notification);
}

/** Returns the number for the app icon. `setNum` overrides `addNum`. */
function badgeText({ setNum, addNum }: Json): string {
  return setNum === undefined ? `+${addNum ?? 1}` : String(setNum);
}
