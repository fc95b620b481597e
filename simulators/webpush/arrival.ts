import type { PhoneView } from '../kit/page.ts';
import { asRecord, type Json, stringOrEmpty } from '../kit/read.ts';
import type { PushService } from './subscriptions.ts';

/** A message that was delivered to a simulated browser, in the format of the control API. */
export type Arrival = {
  readonly vendor: 'webpush';
  readonly service: PushService;
  readonly host: string;
  /** The name of the subscription, which is the last part of its URL. */
  readonly token: string;
  readonly topic: string | null;
  readonly urgency: string;
  readonly ttl: number;
  /** The decrypted message. */
  readonly payload: Json;
  /** Whether Safari would display the message without a service worker. */
  readonly is_declarative: boolean;
  readonly at: number;
};

/** Returns a task ID that stays the same when the message is sent again, or undefined if the message has none. */
export function taskOf(payload: Json): string | undefined {
  const { mid } = asRecord(asRecord(payload.notification).data);
  return typeof mid === 'string' ? mid : undefined;
}

/** Returns whether a message has the members that a declarative push message requires. */
export function isDeclarative({ web_push, notification }: Json): boolean {
  const { title, navigate } = asRecord(notification);
  return web_push === 8030 && stringOrEmpty(title) !== '' && URL.canParse(stringOrEmpty(navigate));
}

export function viewOf({ host, token, payload, topic, urgency, at }: Arrival): PhoneView {
  const { title, body, app_badge, image, data } = asRecord(payload.notification);
  return {
    app: host,
    title: stringOrEmpty(title),
    text: stringOrEmpty(body),
    badge: typeof app_badge === 'number' ? String(app_badge) : undefined,
    picture: typeof image === 'string' ? image : undefined,
    data: data === undefined ? undefined : JSON.stringify(data),
    details: [`urgency ${urgency}`, topic === null ? '' : `topic ${topic}`],
    token,
    at,
  };
}
