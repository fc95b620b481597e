import type { PhoneView } from '../kit/page.ts';
import { asRecord, type Json, stringOrEmpty } from '../kit/read.ts';

/** A message that reached the pretend phone, as the control API shows it. */
export type Arrival = {
  readonly vendor: 'vivo';
  readonly app_id: string;
  readonly token: string;
  readonly task_id: string;
  /** How many tokens the request had. */
  readonly tokens: number;
  /** As it came, but for the token; of a list, as it was saved. */
  readonly body: Json;
  readonly at: number;
};

/** The task, as far as a message tells: what stays the same when it is sent again. */
export function taskOf(body: Json): string | undefined {
  const task = asRecord(body.clientCustomMap).mid ?? body.notifyId;
  return task === undefined ? undefined : String(task);
}

/** What comes back with the receipt. */
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
