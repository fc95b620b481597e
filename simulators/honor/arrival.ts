import type { PhoneView } from '../kit/page.ts';
import { asRecord, type Json, stringOrEmpty } from '../kit/read.ts';

/** A message that was delivered to the simulated phone, in the format of the control API. */
export type Arrival = {
  readonly vendor: 'honor';
  readonly app_id: string;
  readonly token: string;
  readonly request_id: string;
  /** Number of tokens in the request. */
  readonly tokens: number;
  /** The request body without the list of tokens. */
  readonly body: Json;
  readonly at: number;
};

/** Returns a task id that stays the same when the message is sent again, or undefined if the message has no task id. */
export function taskOf(body: Json): string | undefined {
  const { tag, notifyId } = notificationOf(body);
  const task = tag ?? notifyId ?? biTagOf(body);
  return task === undefined ? undefined : String(task);
}

export function biTagOf(body: Json): string | undefined {
  const { biTag } = asRecord(body.android);
  return typeof biTag === 'string' ? biTag : undefined;
}

/** Returns whether the message is declared as marketing. A phone accepts only a few marketing messages per day. */
export function isMarketing(body: Json): boolean {
  return notificationOf(body).importance === 'LOW';
}

export function viewOf({ app_id, token, body, at }: Arrival): PhoneView {
  const { style, title, body: text, bigTitle, bigBody, image, badge, importance } = notificationOf(body);
  const isBig = style === 1;
  const data = asRecord(body.android).data ?? body.data;
  return {
    app: app_id,
    title: stringOrEmpty(isBig ? bigTitle : title),
    text: stringOrEmpty(text),
    largeText: isBig ? stringOrEmpty(bigBody) : undefined,
    badge: badgeText(asRecord(badge)),
    picture: typeof image === 'string' ? image : undefined,
    data: typeof data === 'string' ? data : undefined,
    details: [stringOrEmpty(importance)],
    token,
    at,
  };
}

/** Returns the notification. Fields for Android override the fields for all systems. */
function notificationOf(body: Json): Json {
  return { ...asRecord(body.notification), ...asRecord(asRecord(body.android).notification) };
}

function badgeText({ badgeClass, setNum, addNum }: Json): string | undefined {
  if (badgeClass === undefined) return undefined;
  return setNum === undefined ? `+${addNum ?? 1}` : String(setNum);
}
