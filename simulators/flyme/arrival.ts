import type { PhoneView } from '../kit/page.ts';
import { asRecord, type Json, stringOrEmpty } from '../kit/read.ts';

/** A message that reached the pretend phone, as the control API shows it. */
export type Arrival = {
  readonly vendor: 'flyme';
  readonly app_id: string;
  readonly token: string;
  readonly msg_id: string;
  /** How many tokens the request had. */
  readonly tokens: number;
  /** `messageJson`, read. */
  readonly body: Json;
  readonly at: number;
};

/** The task, as far as a message tells: what stays the same when it is sent again. */
export function taskOf(body: Json): string | undefined {
  const { mid } = parametersOf(body);
  const task = mid ?? asRecord(body.advanceInfo).notifyKey;
  return typeof task === 'string' && task !== '' ? task : undefined;
}

/** What comes back with the receipt. */
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
