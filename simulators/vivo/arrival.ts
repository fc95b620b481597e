import type { PhoneView } from '../kit/page.ts';
import { asRecord, type Json, stringOrEmpty } from '../kit/read.ts';

/** A message that was delivered to the simulated phone, in the format of the control API. */
export type Arrival = {
  readonly vendor: 'vivo';
  readonly app_id: string;
  readonly token: string;
  readonly task_id: string;
  /** Number of tokens in the request. */
  readonly tokens: number;
  /** The message as received, without the token. If it was sent to a list, the saved message. */
  readonly body: Json;
  readonly at: number;
};

/** Returns a task id that stays the same when the message is sent again, or undefined if the message has no task id. */
export function taskOf(body: Json): string | undefined {
  const task = asRecord(body.clientCustomMap).mid ?? body.notifyId;
  return task === undefined ? undefined : String(task);
}

/** Returns the value that vivo sends back with the receipt. */
export function paramOf(body: Json): string {
  return stringOrEmpty(asRecord(body.extra)['callback.param']);
}

export function viewOf({ app_id, token, body, at }: Arrival): PhoneView {
  const { title, content, clientCustomMap, addBadge, classification, category, pushMode } = body;
  const kind = classification === 1 ? 'system' : 'operational';
  return {
    app: app_id,
    title: stringOrEmpty(title),
    text: stringOrEmpty(content),
    badge: addBadge === true ? '+1' : undefined,
    picture: undefined,
    data: clientCustomMap === undefined ? undefined : JSON.stringify(clientCustomMap),
    details: [kind, stringOrEmpty(category), pushMode === 1 ? 'test' : ''],
    token,
    at,
  };
}
