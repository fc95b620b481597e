import type { PhoneView } from '../kit/page.ts';
import { asRecord, type Json, stringOrEmpty } from '../kit/read.ts';

/** A message that was delivered to the simulated phone, in the format of the control API. */
export type Arrival = {
  readonly vendor: 'flyme';
  readonly app_id: string;
  readonly token: string;
  readonly msg_id: string;
  /** Number of tokens in the request. */
  readonly tokens: number;
  /** The parsed `messageJson`. */
  readonly body: Json;
  readonly at: number;
};

/** Returns a task id that stays the same when the message is sent again, or undefined if the message has no task id. */
export function taskOf(body: Json): string | undefined {
  const { mid } = parametersOf(body);
  const task = mid ?? asRecord(body.advanceInfo).notifyKey;
  return typeof task === 'string' && task !== '' ? task : undefined;
}

/** Returns the value that Meizu sends back with the receipt. */
export function paramOf(body: Json): string {
  return stringOrEmpty(asRecord(body.extra)['callback.param']);
}

export function viewOf({ app_id, token, body, at }: Arrival): PhoneView {
  const { title, content, noticeMsgType } = asRecord(body.noticeBarInfo);
  const { noticeExpandContent, noticeExpandImgUrl } = asRecord(body.noticeExpandInfo);
  const parameters = parametersOf(body);
  return {
    app: app_id,
    title: stringOrEmpty(title),
    text: stringOrEmpty(content),
    largeText: typeof noticeExpandContent === 'string' ? noticeExpandContent : undefined,
    badge: undefined,
    picture: typeof noticeExpandImgUrl === 'string' ? noticeExpandImgUrl : undefined,
    data: Object.keys(parameters).length === 0 ? undefined : JSON.stringify(parameters),
    details: [noticeMsgType === 1 ? 'private' : 'public', stringOrEmpty(asRecord(body.clickTypeInfo).activity)],
    token,
    at,
  };
}

function parametersOf(body: Json): Json {
  return asRecord(asRecord(body.clickTypeInfo).parameters);
}
